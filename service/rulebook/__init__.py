"""Rulebooks and casebooks."""
