"""The event store library, bent to our entries. Everything that knows it stands here; `recorder.store` is what the rest
of the program sees."""
