"""The search index over all stored matches, in a file of its own."""
