"""Live updates: event streams of matches."""
