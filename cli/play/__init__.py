"""Recording at the table, key by key: only what may be done now is offered, and whatever happens can be recorded."""
