"""Matches: pages, entries, timelines and exports."""
