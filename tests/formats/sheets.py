"""Score sheets for tests."""

from domain.formats.sheets import Sheet, read_sheet
from domain.games import GAMES

HEAD = '[Game "blackpoker"]\n[Version "8.1-lite"]\n[Seat "p1" "Aoi"]\n[Seat "p2" "Ren"]\n[Match "t1"]\n[By "Kana"]\n\n'


def sheet(*lines: str, head: str = HEAD, name: str = "a.sheet") -> Sheet:
    """Return a sheet with these lines, starting at line 8."""
    return read_sheet(head + "\n".join(lines) + "\n", GAMES, name)
