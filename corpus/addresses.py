"""Packed corpora that lie elsewhere: an address where a path may stand, and the name by which people know it.

What lets somebody in, before the host or behind `?`, is in no name; it is remembered for this program alone.
"""

import re
from hashlib import sha256
from typing import Final

from corpus import troubles
from recorder.place import address_of as address_of, remember

BEGINS: Final = re.compile("([A-Za-z][A-Za-z0-9+.:-]*)://")
OTHERS: Final = ("sqlite", "postgres", "postgresql")
"""Schemes that name a store."""
ADDRESS: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?:[^@/?#]*@)?(?P<host>(?:\[[^\]@/?#]*\]|[^:@/?#]*)(?::[0-9]*)?)"
    r"(?P<path>/[^?#]*)?(?P<more>[?#].*)?",
    re.DOTALL,
)
"""An address that is read in one way only."""
MARK: Final = 8
"""So many characters stand in a name for what is behind `?`, so that two addresses that differ there have two names."""


def is_address(where: str) -> bool:
    """Does this name a corpus by its address, and no path and no store?"""
    begins = BEGINS.match(where)
    return begins is not None and begins[1].lower() not in OTHERS


def name_of(where: str) -> str:
    """The name of what a path or an address names; this program can open it by that. Raises AddressError for an address
    that may be read in two ways, without repeating it."""
    if not is_address(where):
        return where
    address = ADDRESS.fullmatch(where)
    if address is None or (":" in address["host"] and "@" in (address["path"] or "") + (address["more"] or "")):
        scheme = where.partition("://")[0].rpartition("::")[2]
        raise troubles.away("address", f"{scheme}://...")
    name = address["scheme"] + address["host"] + (address["path"] or "")
    if address["more"] and not _is_mark(address["more"], name):
        name += f"?{sha256(address['more'].encode('utf-8', 'surrogatepass')).hexdigest()[:MARK]}"
    elif address["more"]:
        name = where
    if name != where:
        remember(name, where)
    return name


def _is_mark(more: str, name: str) -> bool:
    """Is this what a name of ours ends in already?"""
    return address_of(name + more) != name + more
