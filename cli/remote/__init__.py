"""Commands at a service: the values come over HTTP and are drawn the same way."""
