"""Project settings: `shinpan.toml` in the working folder or above it.

Loaded first at startup, so it needs only the standard library.
"""

import os
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple

FILE = "shinpan.toml"
KEYS = ("store", "lang", "ruleset", "event.timezone")
BYTES_MAX = 16 * 1024
"""Limit for a project file in bytes: the time to parse a dotted key is quadratic."""

SERVICE = re.compile(r"https?://", re.IGNORECASE)
"""Prefix of a service's URL, as the name of a store."""
_ADDRESS = re.compile(r"(?!sqlite://)[a-zA-Z][a-zA-Z0-9+.-]*://")
"""URL of a service, of a database server, or of anything else that is not a file."""
SQLITE, MEMORY = "sqlite://", ":memory:"


def default_store() -> Path:
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(os.path.expanduser(home)) / "shinpan" / "shinpan.sqlite"  # noqa: PTH111


def spoken(environ: Mapping[str, str]) -> str:
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return "ja" if locale.lower().startswith("ja") else "en"


def store_path(store: str) -> str:
    """Return the path of a store named by path or as `sqlite:///path`."""
    return os.path.expanduser(store.removeprefix(SQLITE))  # noqa: PTH111


class Project(NamedTuple):
    """Settings of a project file. `store` is an absolute path, `file` the path of the file."""

    file: str = ""
    store: str | None = None
    lang: str | None = None
    ruleset: str = ""
    timezone: str = ""


NO_PROJECT = Project()


class BadProject(Exception):
    """An invalid project file: the key of the message, and its values."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values


def load_project() -> Project:
    file = _find()
    return NO_PROJECT if file is None else _read(file)


def _find() -> Path | None:
    """Return the nearest project file in this folder or above, up to the home folder."""
    try:
        here = Path.cwd()
    except OSError:  # the folder was removed
        return None
    return next((file for folder in _upwards(here) if os.path.isfile(file := folder / FILE)), None)  # noqa: PTH113


def _upwards(here: Path) -> Iterator[Path]:
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home raises if it is unknown
    for folder in (here, *here.parents):
        yield folder
        if str(folder) == home:
            return


def _read(file: Path) -> Project:
    try:
        with file.open("rb") as stream:
            seen = os.fstat(stream.fileno())
            if not S_ISREG(seen.st_mode) or seen.st_uid not in (0, os.getuid()):
                raise BadProject("project.foreign", file=file)
            data = stream.read(BYTES_MAX + 1)
    except OSError as error:
        raise BadProject("cli.unreadable", file=file, detail=error) from None
    if len(data) > BYTES_MAX:
        raise BadProject("project.too_long", file=file, most=BYTES_MAX // 1024)
    return _project(file, _values(file, data))


def _values(file: Path, data: bytes) -> dict[str, object]:
    try:
        read: dict[str, object] = import_module("tomllib").loads(data.decode("utf-8-sig"))
        return read
    except UnicodeDecodeError as error:
        raise BadProject("project.not_utf8", file=file, byte=error.start + 1) from None
    except (ValueError, RecursionError) as error:  # invalid TOML, or a number with too many digits for Python
        raise BadProject("cli.misread", where=file, detail=error) from None


def _project(file: Path, values: dict[str, Any]) -> Project:
    event = values.get("event")
    if isinstance(event, dict):
        values = {key: value for key, value in values.items() if key != "event"}
        values |= {f"event.{key}": value for key, value in event.items()}
    for key, value in values.items():
        if key not in KEYS:
            raise BadProject("project.unknown", file=file, key=repr(key), allowed=", ".join(KEYS))
        if not isinstance(value, str) or not value.strip():
            raise BadProject("project.no_text", file=file, key=key)
    given = {key: value.strip() for key, value in values.items()}
    if _ADDRESS.match(given.get("store", "")):
        raise BadProject("project.address", file=file)
    if "store" in given:
        given["store"] = _resolve_store(file, given["store"])
    if "event.timezone" in given:
        given["timezone"] = given.pop("event.timezone")
    return Project(str(file), **given)


def _resolve_store(file: Path, store: str) -> str:
    return store if store == MEMORY else str(file.parent / store_path(store))
