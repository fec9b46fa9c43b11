"""Commands against a service: the values come over the line instead of out of a store, and are drawn as ever."""
