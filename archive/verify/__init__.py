"""Verify games: property checks on random play, perft counts, and shrinking of failures."""
