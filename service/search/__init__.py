"""Search over matches and rulings."""
