"""Python client of a service: its API as functions that return the structs of the service."""
