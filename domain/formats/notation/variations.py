"""Variations: branches written in the file of their parent match, and read as records of their own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError, explain_unknown, quote_input, shift_errors
from domain.formats.notation.header import Header, write as write_header
from domain.formats.notation.lines import DEPTH_MAX, Line, group
from domain.formats.notation.reader import go_on, read_notation
from domain.formats.notation.writer import write_entries_after, write_notation
from domain.formats.tokens import Token, field, read_integer, read_word, tokens, write_word
from domain.law.entries import Closed, Entry, Opened, opened_of, without_pledges
from domain.law.game import Game
from domain.words import Text

BRANCH = "branch"
INDENT = "  "
_PARTS = ("by", "commitment", "parent")


class Tree(Struct, frozen=True):
    """A match and its branches. A branch has the same first entries as its parent."""

    entries: tuple[Entry, ...]
    branches: "tuple[Tree, ...]" = ()

    def all(self) -> "Iterator[Tree]":
        """Yield the match, then its branches depth-first."""
        yield self
        for branch in self.branches:
            yield from branch.all()


def parse_record(text: str, games: Mapping[str, Game]) -> Tree:
    """Parse a match with its variations. Raises FormatError."""
    entries: list[Entry] = []
    aside: list[Line] = []
    header = read_notation(text.split("\n"), games, None, entries, aside)
    return Tree(tuple(entries), read_variations(header, entries, aside))


def read_variations(header: Header, entries: Sequence[Entry], lines: Sequence[Line]) -> tuple[Tree, ...]:
    """Parse the branches of a match from its collected lines. Raises FormatError."""
    records: list[Tree] = []
    names: set[str] = set()
    for head, own, nested in _blocks(lines):
        record = _read_branch(header, entries, head, own, nested)
        first = opened_of(record.entries)
        if first.match in names:
            raise head.error(Text("variation.twice", {"match": quote_input(first.match)}))
        names.add(first.match)
        records.append(record)
    return tuple(records)


def _blocks(lines: Iterable[Line]) -> Iterator[tuple[Line, list[Line], list[Line]]]:
    """Yield the first line of each outermost block, its own lines, and those of nested branches."""
    head, own, nested, depth = Line(1, ""), list[Line](), list[Line](), 0
    for line in lines:
        text = line.text.strip()
        opens, closes = text.startswith("("), text == ")"
        depth += opens
        if depth > 1:
            nested.append(line)
        elif opens:
            head, own, nested = line, [], []
        elif closes:
            yield head, own, nested
        else:
            own.append(line)
        depth -= closes


def _read_branch(
    header: Header, parent: Sequence[Entry], head: Line, own_lines: list[Line], nested_lines: list[Line]
) -> Tree:
    with shift_errors(head.number, 1):
        opened = _read_branch_opening(header.opened, parent, head)
    branch_header = replace(header, opened=opened, seed=None)
    past = [opened, *(parent[at] for at in range(1, opened.parent_at))]
    entries = go_on(branch_header, past, group(own_lines))
    return Tree(tuple(entries), read_variations(branch_header, entries, nested_lines))


def _read_branch_opening(header: Opened, parent: Sequence[Entry], head: Line) -> Opened:
    words = tokens(head.text.strip()[1:], head.column + 1)
    if len(words) < 3 or words[0].text != BRANCH:
        raise FormatError(Text("variation.head"), 1, head.column)
    at, match, origin, time = read_integer(words[1]), read_word(words[2]), {}, 0
    if not 1 <= at <= len(parent) or isinstance(parent[at - 1], Closed):
        raise words[1].error(Text("variation.no_entry", {"entry": at, "last": len(parent)}))
    for token in words[3:]:
        if token.text.startswith("@"):
            time = read_integer(Token(token.text[1:], token.column + 1))
            continue
        part = field(token)
        if part is None or part[0] not in _PARTS:
            raise token.error(
                explain_unknown(Text("noun.part_of", {"what": BRANCH}), token.text.partition("=")[0], _PARTS)
            )
        origin[part[0]] = read_word(part[1])
    if not (name := origin.get("parent") or header.match):
        raise FormatError(Text("variation.no_match"), 1, head.column)
    first = without_pledges(opened_of(parent))
    return replace(
        first,
        at=time,
        match=match,
        commitment=origin.get("commitment", ""),
        by=origin.get("by", ""),
        parent=name,
        parent_at=at,
    )


def write_record(game: Game, record: Tree) -> str:
    """Write a match with its branches as text that parses back to the same record. Raises FormatError for a branch
    whose past differs from its parent's, and for text that cannot be read back."""
    lines = [write_notation(game, record.entries).rstrip("\n")]
    for branch in record.branches:
        lines += ["", *_write_branch(game, record.entries, branch, 1)]
    text = "\n".join(lines) + "\n"
    parse_record(text, {game.key: game})
    return text


def _write_branch(game: Game, parent: Sequence[Entry], record: Tree, depth: int) -> list[str]:
    if depth > DEPTH_MAX:
        raise FormatError(Text("variation.deep", {"most": DEPTH_MAX}))
    opened, first = opened_of(record.entries), without_pledges(opened_of(parent))
    at = opened.parent_at
    same = {name: getattr(first, name) for name in ("at", "match", "commitment", "by", "parent", "parent_at")}
    if not (
        1 <= at <= min(len(parent), len(record.entries))
        and tuple(record.entries[1:at]) == tuple(parent[1:at])
        and replace(opened, **same) == first
        and opened.match
        and opened.parent
    ):
        raise FormatError(Text("variation.not_shared", {"match": quote_input(opened.match)}))
    origin = {"parent": opened.parent if opened.parent != first.match else "", "by": opened.by}
    origin["commitment"] = opened.commitment
    parts = [f"{name}={write_word(value)}" for name, value in origin.items() if value]
    time = [f"@{opened.at}"] if opened.at else []
    lines = [" ".join((f"({BRANCH}", str(at), write_word(opened.match), *parts, *time))]
    _, header = write_header(game, opened)
    lines += [INDENT + line for line in write_entries_after(header, record.entries, at)]
    for branch in record.branches:
        lines += [INDENT + below for below in _write_branch(game, record.entries, branch, depth + 1)]
    return [*lines, ")"]
