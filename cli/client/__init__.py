"""A service asked by a Python program: its API as functions, decoded into the very structs that the service answers."""
