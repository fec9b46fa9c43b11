"""Display of one verdict: the differences for a viewer, and both tables side by side."""
