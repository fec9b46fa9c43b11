"""Lines that a recorder types: what somebody does, `fix 204 …` of an entry, or `call …` for a judge."""

import re
from typing import Final

from domain.formats.errors import FormatError
from domain.words import Text
from service import commands as C
from service.house import Sight

FIX: Final = re.compile(r"fix\s+#?([0-9]{1,9})(?:\s+(.*))?")
CALL: Final = re.compile(r"call(?:\s+(.*))?")
BETWEEN_FACTS: Final = ";"
WIDE: Final = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: " "}
"""Full-width signs, as Japanese keyboards write digits and ＃, by the plain ones that are meant."""


def read_line(sight: Sight, text: str) -> C.AnyCommand:
    """What a line says: whoever is awaited does it if it names nobody. Whether it can be done is not looked at.

    Raises FormatError for a correction without facts.
    """
    plain = text.translate(WIDE).strip()
    if (called := CALL.fullmatch(plain)) is not None:
        return C.Call(text=called[1] or "")
    fix = FIX.fullmatch(plain)
    if fix is None or not 1 <= int(fix[1]) <= sight.head:
        return _play(sight, plain)
    facts = tuple(part.strip() for part in (fix[2] or "").split(BETWEEN_FACTS) if part.strip())
    if not facts:
        raise FormatError(Text("record.fix_empty", {"entry": int(fix[1])}))
    says = Text("remark.fix", {"entry": int(fix[1])})
    return C.Correct(facts=facts, reason=f"{says.say('en')} / {says.say('ja')}")


def about(sight: Sight, text: str) -> int:
    """The entry that a line is about, if it is one that corrects; else 0."""
    fix = FIX.fullmatch(text.translate(WIDE).strip())
    return int(fix[1]) if fix is not None and 1 <= int(fix[1]) <= sight.head else 0


def _play(sight: Sight, text: str) -> C.Play:
    """`p2 pass`, `p2: pass`, or `pass` where only one seat is awaited."""
    match = sight.match
    first, _, rest = text.partition(" ")
    if first in match.table.seats and rest:
        return C.Play(text=f"{first}: {rest}")
    awaited = match.law.awaited(match.table)
    return C.Play(text=text, by=awaited[0]) if len(awaited) == 1 else C.Play(text=text)
