"""Adapters of the event store library for our entries. The rest of the program uses `recorder.store`."""
