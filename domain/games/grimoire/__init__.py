"""Grimoire: so far its table; the law comes later."""
