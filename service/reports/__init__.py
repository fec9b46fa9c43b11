"""Rule changes: recorded matches judged again under other rules, as jobs."""
