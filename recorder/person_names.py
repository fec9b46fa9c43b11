"""Names of people at an event: how they are compared, and when two of them could be taken for one another."""

import unicodedata


def person_name(name: str) -> str:
    """Return a name as pairings and sign-ins compare it: NFC, without spaces around it."""
    return unicodedata.normalize("NFC", name).strip()


def is_alike(one: str, other: str) -> bool:
    """True if two names differ at most in width, capitals and spaces, so that people take them for one."""
    return _skeleton(one) == _skeleton(other)


def _skeleton(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
