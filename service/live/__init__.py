"""Live updates: streams of events for those who watch."""
