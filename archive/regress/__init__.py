"""Rejudge a corpus of recorded matches under changed rules, and report the differences."""
