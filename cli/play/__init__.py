"""Keyboard recorder: offers the legal actions by key, and records illegal ones too."""
