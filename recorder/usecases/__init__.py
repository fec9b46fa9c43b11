"""What people do to a match: commands as structs, and the handlers that record them."""
