"""Effects of requests, by kind: damage, moves, combat."""
