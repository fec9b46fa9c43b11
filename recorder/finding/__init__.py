"""What is found again over all stored matches: an index in a file of its own, kept by whoever follows the store."""
