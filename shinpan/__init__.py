"""Record matches from notebooks and scripts, look at them, and audit them against their rules.

import shinpan

with shinpan.open("cup.sqlite") as store:
    match = store.new("blackpoker@8.1-lite", names={"p1": "Aoi", "p2": "Ren"})
    match.do("p1: pass")
    print(match.board(as_="p1"))
"""

from shinpan.errors import Conflict, NotRecorded, Refused
from shinpan.records import Board, Record, read, rejudge
from shinpan.stores import Match, Store, open

__all__ = ("Board", "Conflict", "Match", "NotRecorded", "Record", "Refused", "Store", "open", "read", "rejudge")
