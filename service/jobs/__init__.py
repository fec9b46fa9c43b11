"""Rule changes over an archive: background jobs of the service."""
