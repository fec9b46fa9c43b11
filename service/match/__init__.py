"""A match: its pages, entries, timelines and exports."""
