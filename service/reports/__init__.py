"""Rule changes over recorded matches, run as jobs."""
