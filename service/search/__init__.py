"""Search over all matches and rulings."""
