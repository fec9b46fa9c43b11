"""The service: matches recorded, watched and judged over HTTP, as pages and as an API. It parses, calls and draws."""
