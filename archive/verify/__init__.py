"""Verification: the laws every game keeps, held against random play, counted out, and tried on broken engines."""
