"""Under which tag an answer stands: who names the tag of what is still so is told just that, and no more."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from domain.words import Lang

SHAPING: Final = ("domain", "projections", "service")
"""What has a part in how an answer looks."""
SUFFIXES: Final = (".py", ".toml", ".html")
DIGITS = 12


@cache
def drawing() -> str:
    """What tells an answer of this program from that of another one that draws otherwise: a hash of its sources."""
    digest = sha256()
    for package in SHAPING:
        for file in sorted(_sources(files(package)), key=str):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:DIGITS]


def _sources(folder: Traversable) -> list[Traversable]:
    inside = sorted(folder.iterdir(), key=lambda entry: entry.name)
    below = [file for entry in inside if entry.is_dir() and entry.name != "__pycache__" for file in _sources(entry)]
    return [entry for entry in inside if entry.name.endswith(SUFFIXES)] + below


def tag_moment(match: str, entry: int, viewer: str, lang: Lang, fact: int = 0, since: int = 0) -> str:
    """The tag of what is seen of a match after an entry, or after its k-th fact; `since`: it has read so since then."""
    at = f"{entry}.{fact}" if fact else entry
    at = f"{at}~{since}" if since else at
    return f'"{match}.{at}.{viewer}.{lang}.{drawing()}"'


def tag_head(entry: int) -> str:
    """The tag of where a match stands: what a change is asked for behind."""
    return f'"{entry}"'


def tag_bytes(body: bytes) -> str:
    """The tag of what is known by nothing but itself."""
    return f'"{sha256(body).hexdigest()[:DIGITS]}"'


def is_known(header: str, tag: str) -> bool:
    """Does an `If-None-Match` name this tag?"""
    named = [part.strip().removeprefix("W/") for part in header.split(",")]
    return "*" in named or tag in named
