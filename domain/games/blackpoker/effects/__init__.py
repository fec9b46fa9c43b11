"""What each request does, by its kind: damage, moves, combat."""
