"""Display of one verdict: the differences for a viewer, and both tables in parallel."""
