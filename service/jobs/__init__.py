"""Long work in the background: what is asked of it, where it is kept, who does it and what comes of it."""
