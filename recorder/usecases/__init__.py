"""Commands as structs, and the handlers that record them."""
