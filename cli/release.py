"""Which release this is."""

from importlib.metadata import PackageNotFoundError, version


def release(name: str) -> str:
    """The version that is installed under this name; 0 where none is."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "0"
