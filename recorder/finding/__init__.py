"""What is found again over all stored matches: a finder in a file of its own, kept by whoever follows the store."""
