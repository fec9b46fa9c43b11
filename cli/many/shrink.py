"""Shrinking: the shortest record that still shows the effect of a rule change or of two readings."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from archive.verify.failure_files import CASES, LINES, MATCH, write
from archive.verify.shrink import shrink as shorten
from cli.answer import Answer
from cli.context import CommandContext, quote_input
from cli.many.compare import asked_reading
from cli.many.rejudge import match_of, naming_file, target_of
from cli.outputs import distinct
from cli.problems import FINDINGS
from cli.values import OWN, OtherRules, Record
from domain.judging.rejudging import rejudge
from domain.judging.rejudging.comparing import separate
from domain.judging.rejudging.shared_prefix import SharedPrefix
from domain.judging.rejudging.target import rules_for
from domain.law.entries import Entry
from domain.law.law import Law
from domain.words import Text
from projections.verdicts.seen_verdicts import deciding_clause

Still = Callable[[Sequence[Entry]], bool]
"""Predicate of a record that still shows the effect."""


class Shrunken(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """A shrunk match: its length before and after, the effect it shows, and the files."""

    match: str
    before: int
    after: int
    what: str
    record: str
    case: str | None


def shrink(
    ctx: CommandContext,
    record: Record,
    out: Annotated[str, "--out DIR"],
    asked: OtherRules = OWN,
    reading: Annotated[str | None, "--reading OPTION=A,B"] = None,
) -> Answer[Shrunken | None]:
    """Shorten a match to what its verdict needs; write a record and a case. The exit code is 1 if there is no
    effect."""
    with match_of(ctx, record) as match:
        game, recorded_rules, entries = match.game, match.rules, list(match.entries)
    if reading is not None:
        if asked.rules is not None or asked.settings or asked.frame:
            raise ctx.problem("shrink.one_of")
        still, what = _build_reading_check(ctx, match.law, reading)
    else:
        target = target_of(ctx, asked)
        with naming_file(ctx, asked.rules):
            other = rules_for(target, game, recorded_rules)
        still, what = _build_verdict_check(match.law, entries, other)
    if not still(entries):
        differs = reading is None and rejudge(game, entries, recorded_rules).kind != "identical"
        missed = Text("shrink.own") if differs else what
        return Answer(
            lambda: None, lambda: ctx.print_message("shrink.nothing", "bad", match=match.id, what=missed), FINDINGS
        )
    name = f"shrunk-{match.id}"
    for suffix in (MATCH, LINES, CASES):
        distinct(ctx, {"--out": str(Path(out, name + suffix))}, (), (record, record.rpartition(":")[0], asked.rules))
    shorter = shorten(match.law, entries, still)
    with ctx.convert_os_errors("cli.unwritable", quote_input(out)):
        written = write(game, shorter, Path(out), name, what)
    paths = [str(path) for path in (written.match, written.case) if path is not None]
    case = None if written.case is None else str(written.case)
    counts = {"was": len(entries), "now": written.entries, "files": ctx.say("list.comma").join(paths)}
    return Answer(
        lambda: Shrunken(match.id, len(entries), written.entries, what.say("en"), str(written.match), case),
        lambda: ctx.print_message("shrink.done", "good", what=what, **counts),
    )


def _build_verdict_check(law: Law, entries: Sequence[Entry], other: Struct) -> tuple[Still, Text]:
    game = law.game
    beginning = SharedPrefix(game, law.rules, [other])
    verdict = rejudge(game, entries, other)
    clause = deciding_clause(entries, verdict)

    def still(tried: Sequence[Entry]) -> bool:
        again = rejudge(game, tried, other, spared=beginning.spares(tried)(other))
        same = (again.kind, again.why, deciding_clause(tried, again)) == (verdict.kind, verdict.why, clause)
        return same and again.kind != "identical" and beginning.note(tried) == "identical"

    return still, Text("shrink.verdict", {"kind": Text(f"verdict.{verdict.kind}"), "clause": clause})


def _build_reading_check(ctx: CommandContext, law: Law, reading: str) -> tuple[Still, Text]:
    option, values = asked_reading(ctx, reading)
    one, other = (ctx.options(law.game, law.rules, [f"{option}={value}"]) for value in values)
    beginning = SharedPrefix(law.game, law.rules, [one, other])

    def still(tried: Sequence[Entry]) -> bool:
        if separate(law.game, tried, one, other, beginning.spares(tried)) is None:
            return False
        with suppress(Exception):  # rules may fail on the record
            beginning.note(tried)
        return True

    return still, Text("shrink.reading", {"option": option, "one": values[0], "other": values[1]})
