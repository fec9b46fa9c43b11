"""The command line leaks nothing hidden: records that differ only in hidden faces give byte-identical output.

A record is stored twice under one name: as it was, and with the faces that a viewer never knew dealt again. Findings
and refusals are compared only if the rules let the same happen in both.
"""

import io
import shutil
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from cli.main import run
from domain.games import GAMES
from domain.law.driver import decide, decide_as_played, set_up
from domain.law.entries import Entry, Played, fold_entries
from domain.law.game import decks_of
from domain.law.outcome import Accepted
from domain.law.slots import NamedSlot, slots
from domain.table.facts import Created
from domain.table.physics import Physics
from domain.table.redact import TableViewer
from domain.table.table import LANES, CardId, Seat, Table, lane
from recorder.store import Store
from tests.games import TOYS, tried
from tests.laws.leak_checks import deal_again, decide_again, facts, insert_corrections, never_known, viewers
from tests.laws.loosely import loose
from tests.laws.presumed import presume
from tests.laws.samples import Sample, few, sample
from tests.rotation import is_nightly, rotate

pytestmark = [pytest.mark.rotates(3), pytest.mark.random]

FEW = [*few(2), ("blackpoker", 2)]
AT = 2 if is_nightly() else 1
TYPED = 12 if is_nightly() else 5
WATCHING = 3
SWAPS = 40
SHORT = 40
"""A loose match with fewer entries may end before anything can be dealt again."""
MATCH = "m"
FORMS = (("--lang", "en"), ("--lang", "ja"), ("--lang", "en", "--json"))


class CommandOutput(Struct, frozen=True):
    code: int
    out: bytes
    err: bytes


def run_command(store: Path, *arguments: str) -> CommandOutput:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["--store", str(store), *arguments])
    out.flush()
    err.flush()
    found = CommandOutput(code, out.buffer.getvalue(), err.buffer.getvalue())  # type: ignore[attr-defined]
    assert b"Traceback" not in found.err
    return found


class Pair(Struct, frozen=True):
    path: Path
    stores: tuple[Path, Path]

    def both(self, *arguments: str) -> tuple[CommandOutput, CommandOutput]:
        seen = []
        for store in self.stores:
            shutil.copyfile(store, self.path)
            seen.append(run_command(self.path, *arguments))
            for beside in self.path.parent.glob(f"{self.path.name}-*"):
                beside.unlink()
        return seen[0], seen[1]

    def alike(self, *arguments: str, forms: int = len(FORMS)) -> CommandOutput:
        known = FORMS[:2] if arguments[0] == "export" else FORMS
        for form in Random(" ".join(arguments)).sample(known, min(forms, len(known))):
            one, other = self.both(*arguments, *form)
            assert one == other, " ".join((*arguments, *form))
            assert one.code in (0, 1, 2), one
        return one

    def refused_alike(self, *arguments: str) -> None:
        form = Random(" ".join(arguments)).choice(FORMS)
        one, other = self.both(*arguments, *form)
        assert one.code == other.code and (one.code == 0 or one == other), " ".join((*arguments, *form))


def pair(folder: Path, ours: Sequence[Entry], theirs: Sequence[Entry]) -> Pair:
    assert list(ours) != list(theirs)
    stores = (folder / "ours.sqlite", folder / "theirs.sqlite")
    for path, entries in zip(stores, (ours, theirs), strict=True):
        path.unlink(missing_ok=True)
        with Store.open(path) as store:
            assert store.append(MATCH, 0, entries) == len(entries)
    return Pair(folder / "seen.sqlite", stores)


@pytest.fixture(autouse=True)
def _one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.clock.read_wall_clock", lambda: 1_767_323_045_000)
    for key, game in TOYS.items():
        monkeypatch.setitem(GAMES.loaded, key, game)


def looks(entries: Sequence[Entry], number: int, other: int, viewer: Seat) -> Iterator[tuple[str, ...]]:
    after, seen = ("--at", str(number)), ("--as", viewer)
    yield "show", MATCH, *after, *seen
    yield "stack", MATCH, *after, *seen
    yield "legal", MATCH, *after, *seen
    yield "knows", MATCH, *after, *seen
    yield "export", MATCH, "--to", str(number), *seen
    yield "knows", MATCH, *after, "--diff", str(other), *seen
    yield "diff", MATCH, str(other), str(number), *seen
    yield "why", MATCH, str(number), *seen
    yield "rewind", MATCH, "--to", str(min(number, other)), "--dry-run", *seen
    table = fold_entries(entries, number)
    for thing in (*names(table)[:3], "%"):
        yield "when", MATCH, thing, *after, *seen
    yield "knows", MATCH, "--at", "999", *seen


def names(table: Table) -> list[str]:
    things = [f"u{piece.thing}" for piece in table.pieces.values()]
    faces = [piece.face or "?" for piece in table.pieces.values()]
    found = [*things, *faces, *(str(place) for place in table.places), *table.seats, "r1", "#1"]
    Random(len(found)).shuffle(found)
    return found


def choose_viewers(one: Sample, random: Random) -> list[Seat]:
    *seats, spectator = viewers(one)
    return [*random.sample(seats, min(len(seats), WATCHING - 1 if is_nightly() else 1)), spectator]


@pytest.mark.parametrize("meddle", rotate([False, True], 1))
@pytest.mark.parametrize(("key", "seed"), few(2))
def test_whatever_is_shown_of_a_record_tells_no_face_never_known(
    key: str, seed: int, meddle: bool, tmp_path: Path
) -> None:
    presume(key, "secrets")
    one, random = sample(key, seed), Random(f"cli {seed} {meddle}")
    whole = insert_corrections(one, random) if meddle else list(one.entries)
    for viewer in choose_viewers(one, random):
        upto = random.randrange(20, min(len(whole), 120))
        entries = whole[:upto]
        stores = pair(tmp_path, entries, deal_again(entries, never_known(entries, viewer), random))
        for arguments in (("matches",), ("log", MATCH), ("log", MATCH, "--flow"), ("export", MATCH)):
            assert stores.alike(*arguments, "--as", viewer).code == 0
        assert stores.alike("export", MATCH, "--format", "jsonl", "--as", viewer).code == 0
        for number in random.sample(range(1, upto + 1), AT):
            for arguments in looks(entries, number, random.randrange(1, upto + 1), viewer):
                stores.alike(*arguments, forms=1)


@pytest.mark.parametrize(("key", "seed"), few(1))
def test_card_ids_are_shown_to_the_judge_alone(key: str, seed: int, tmp_path: Path) -> None:
    one, random = sample(key, seed), Random(seed)
    cards = sorted(fold_entries(one.entries[:1]).pieces)
    others = [CardId(card) for card in random.sample(range(1, 10 * len(cards)), len(cards))]
    renamed = decide_again(one, names=dict(zip(cards, others, strict=True)))
    assert renamed is not None
    entries = one.entries[:60]
    stores = pair(tmp_path, entries, renamed[:60])
    for viewer in choose_viewers(one, random):
        for number in random.sample(range(1, len(entries) + 1), AT):
            for arguments in looks(entries, number, random.randrange(1, len(entries) + 1), viewer):
                if "#1" not in arguments:
                    stores.alike(*arguments, forms=1)
        stores.alike("export", MATCH, "--format", "jsonl", "--as", viewer)
        stores.alike("log", MATCH, "--flow", "--as", viewer)
    ours, theirs = stores.both("export", MATCH, "--format", "jsonl", "--as", "judge")
    assert ours != theirs, "the judge is to see card ids"


def decide_with_ids(one: Sample, entries: Sequence[Entry], names: dict[CardId, CardId]) -> list[Entry] | None:
    opened, decoder = one.first_entry, one.game.decoder()
    dealt = [fact for _, fact in opened.told if isinstance(fact, Created)]
    cards: dict[Seat, tuple[CardId, ...]] = {}
    for fact in dealt:
        cards[fact.owner] = cards.get(fact.owner, ()) + tuple(names.get(card, card) for card in fact.cards)
    accepted, _ = set_up(one.law, decks_of(opened), cards)
    if accepted is None:
        return None
    again: list[Entry] = [replace(opened, told=accepted.told)]
    table = accepted.table
    for entry in entries[1:]:
        if isinstance(entry, Played):
            way = decide_as_played if entry.violations else decide
            outcome = way(one.law, table, entry.actor, decoder.decode(entry.action))
            if not isinstance(outcome, Accepted):
                return None
            again.append(replace(entry, told=outcome.told, violations=outcome.violations))
            table = outcome.table
        else:
            again.append(entry)
    return again if facts(again[1:]) == facts(entries[1:]) else None


def swap(one: Sample, entries: Sequence[Entry], viewer: Seat, random: Random) -> tuple[list[Entry], list[str]] | None:
    """Exchange two faces that the viewer never knew; return the record and the faces, or None if the rules decide
    differently."""
    hidden = never_known(entries, viewer)
    first = fold_entries(entries[:1]).pieces
    for _ in range(SWAPS if len(hidden) > 1 else 0):
        a, b = random.sample(hidden, 2)
        mine, other = first[a].face, first[b].face
        if mine is None or other is None or mine == other or first[a].owner != first[b].owner:
            continue
        again = decide_with_ids(one, entries, {a: b, b: a})
        if again is not None:
            return again, [mine, other]
    return None


@pytest.mark.parametrize(("key", "seed"), FEW)
def test_findings_and_refusals_tell_no_face_never_known(key: str, seed: int, tmp_path: Path) -> None:
    presume(key, "secrets")
    played, random = loose(key, seed), Random(f"cli loose {seed}")
    one, compared = played.sample, 0
    for viewer in random.sample(viewers(one), len(viewers(one))):
        if compared == (WATCHING if is_nightly() else 1):
            break
        entries = list(played.entries[: random.randrange(len(played.entries) // 2, len(played.entries))])
        swapped = swap(one, entries, viewer, random)
        if swapped is None:
            continue
        other, faces = swapped
        compared += 1
        stores = pair(tmp_path, entries, other)
        stores.alike("audit", MATCH, "--as", viewer)
        stores.alike("audit", MATCH, "--as", viewer, "--reading", tried(key).reading)
        for number in random.sample(range(1, len(entries) + 1), AT):
            stores.alike("why", MATCH, str(number), "--as", viewer)
            at = ("--at", str(number), "--as", viewer)
            for _ in range(TYPED // AT):
                actor = random.choice(one.first_entry.seats)
                stores.alike(
                    "why-not",
                    MATCH,
                    typed(one, fold_entries(entries, number), actor, viewer, random, faces),
                    *at,
                    forms=1,
                )
        for _ in range(TYPED if viewer in one.first_entry.seats else 0):
            action = typed(one, fold_entries(entries), viewer, viewer, random, faces)
            stores.refused_alike("do", MATCH, action, "--as", viewer)
            stores.refused_alike("do", MATCH, action, "--as-played", "--as", viewer)
    assert compared or len(played.entries) < SHORT, (
        "the law goes along with no other way of dealing: nothing was compared"
    )


def typed(one: Sample, table: Table, actor: Seat, viewer: Seat, random: Random, faces: list[str]) -> str:
    action_type = random.choice(one.game.action_types)
    physics = Physics(one.first_entry.schema)
    words = [_word(physics, table, viewer, named, random, faces) for named in slots(action_type)]
    return f"{actor}: {action_type.__struct_config__.tag} {' '.join(words)}".strip()


def _word(physics: Physics, table: Table, viewer: Seat, named: NamedSlot, random: Random, faces: list[str]) -> str:
    match named.slot.kind:
        case "card":
            return _card(physics, table, viewer, random, faces)
        case "cards" | "order":
            cards = [_card(physics, table, viewer, random, faces) for _ in range(random.choice((0, 1, 1, 2)))]
            return ",".join(cards) or "-"
        case "pairs":
            two = [_card(physics, table, viewer, random, faces) for _ in range(2)]
            return random.choice(("-", ">".join(two)))
        case "frame":
            frames = [frame for name in LANES for frame in lane(table, name)]
            return random.choice(["-", "r9999", *(f"r{frame.id}" for frame in frames)])
        case "frames":
            asked = [one for frame in table.asked for one in frame.frames]
            return ",".join(f"r{one}" for one in random.sample(asked, min(len(asked), 2))) or "-"
        case "places":
            return ",".join(random.sample(tuple(table.places), random.randrange(3))) or "-"
        case "seat":
            return str(random.choice(tuple(table.seats)))
        case "flag":
            return random.choice(("yes", "no"))
        case "number":
            return str(random.randrange(3))
        case _:
            return str(random.choice(named.slot.words or ("p1.hand", "-")))


def _card(physics: Physics, table: Table, viewer: Seat, random: Random, faces: list[str]) -> str:
    pieces = table.pieces
    dice = random.random()
    known = [card for card in pieces if TableViewer(physics, viewer).knows(table, card)]
    if dice < 0.4 and known:
        return pieces[random.choice(known)].face or "?"
    seen = [card for card in pieces if TableViewer(physics, viewer).follows(table, card)]
    if dice < 0.6 and seen:
        return f"u{pieces[random.choice(seen)].thing}"
    if dice < 0.7:
        return f"u{random.choice(list(pieces.values())).thing}"
    return random.choice(faces)
