"""Entity tags. A tag reveals nothing beyond the fact that a response is unchanged."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from domain.words import Lang

SHAPING: Final = ("domain", "projections", "service")
"""Packages whose source shapes a response."""
SUFFIXES: Final = (".py", ".toml", ".html")
DIGITS = 12


@cache
def source_digest() -> str:
    """Return a hash of the sources, so that tags of different versions differ."""
    digest = sha256()
    for package in SHAPING:
        for file in sorted(_list_sources(files(package)), key=str):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:DIGITS]


def _list_sources(folder: Traversable) -> list[Traversable]:
    inside = sorted(folder.iterdir(), key=lambda entry: entry.name)
    below = [
        file for entry in inside if entry.is_dir() and entry.name != "__pycache__" for file in _list_sources(entry)
    ]
    return [entry for entry in inside if entry.name.endswith(SUFFIXES)] + below


def tag_moment(match: str, entry: int, viewer: str, lang: Lang, fact: int = 0, since: int = 0) -> str:
    """Return the tag of a view after an entry, or after its k-th fact. `since`: the entry that last changed how it
    reads."""
    at = f"{entry}.{fact}" if fact else entry
    at = f"{at}~{since}" if since else at
    return f'"{match}.{at}.{viewer}.{lang}.{source_digest()}"'


def tag_head(entry: int) -> str:
    """Return the tag of a match's head, for If-Match."""
    return f'"{entry}"'


def tag_bytes(body: bytes) -> str:
    """Return the tag of a response that is identified by its content only."""
    return f'"{sha256(body).hexdigest()[:DIGITS]}"'


def is_known(header: str, tag: str) -> bool:
    """True if an `If-None-Match` header names this tag."""
    named = [part.strip().removeprefix("W/") for part in header.split(",")]
    return "*" in named or tag in named
