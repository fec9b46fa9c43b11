"""What is held fast, and what is held against it."""
