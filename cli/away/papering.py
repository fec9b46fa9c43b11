"""Matches of a service that are recorded afterwards."""

from cli.answer import Answer
from cli.away.asking import Away
from cli.away.writing import BLANK, expect_head, read_id, require_own_name, write
from cli.context import Desk
from cli.record.outcome import Written
from cli.record.paper import read_thing, require_most
from domain.formats.tokens import word
from service import commands as C


def paper_learn(
    desk: Desk, match: str, thing: str, face: str, reason: str, by: str, command_id: str | None, viewer: str
) -> Answer[Written]:
    """Record what a card was, found out afterwards."""
    require_own_name(desk, by)
    facts = (f"learn u{read_thing(desk, thing)} {word(face)}",)
    away, said = Away(desk, match, viewer), C.Correct(id=read_id(command_id), facts=facts, reason=reason or BLANK)
    return write(away, said, away.head.head)


def paper_gap(
    desk: Desk,
    match: str,
    facts: list[str] | None,
    most: int,
    reason: str,
    by: str,
    expect: int | None,
    command_id: str | None,
    viewer: str,
) -> Answer[Written]:
    """Record that actions are missing here."""
    require_most(desk, most)
    require_own_name(desk, by)
    away = Away(desk, match, viewer)
    said = C.Gap(id=read_id(command_id), reason=reason or BLANK, most=most, facts=tuple(facts or ()))
    return write(away, said, expect_head(away, expect))
