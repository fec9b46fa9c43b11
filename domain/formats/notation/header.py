"""The header of notation: the pairs that define an `Opened` entry. The game provides defaults."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, fields

from domain.formats.errors import FormatError, explain_unknown, quote_input
from domain.formats.notation.lines import Line, Pair, divide
from domain.formats.tokens import EMPTY, Token, quote, read_integer, read_word, tokens, write_word
from domain.law.entries import Opened, Pledged, Undealt
from domain.law.game import Deck, Decks, Game
from domain.law.law import Law
from domain.law.occasion import Occasion, occasion_of
from domain.law.rulesets import (
    RulesetError,
    digest,
    load,
    make_ruleset,
    read_setting,
    stored_values,
    values,
    with_settings,
)
from domain.table.facts import Created
from domain.table.schema import Schema
from domain.table.table import CardId, Seat
from domain.words import Text
from domain.words.foreign import explain_decode_error

T = TypeVar("T")

NAMES: dict[str, tuple[int, int]] = {
    "Game": (1, 1), "Match": (1, 1), "Version": (1, 1), "Frame": (1, 1), "Set": (2, 2), "Rules": (1, 1),
    "RulesHash": (1, 1), "Schema": (1, 1), "Seat": (1, 2), "Deck": (2, 2), "Side": (2, 2), "Cards": (2, 2),
    "Commitment": (1, 1), "By": (1, 1), "Parent": (1, 2), "Seed": (1, 1), "Venue": (1, 1), "Deal": (1, 1),
    "Policy": (1, 1), "Pledge": (2, 2),
    **{field.name.capitalize(): (1, 1) for field in fields(Occasion)},
}  # fmt: skip
"""Header pairs with their minimum and maximum number of values."""
NO_DEAL = "none"
"""Value of `Deal` for matches with real cards."""
REPEATED = frozenset(("Set", "Seat", "Deck", "Side", "Cards", "Pledge"))


class Header(Struct, frozen=True):
    """The parsed header. `law` is None if this program cannot load the rules. Then only `=` lines can be read."""

    game: Game
    law: Law | None
    why: Text | None
    opened: Opened
    decks: dict[Seat, Deck]
    cards: dict[Seat, tuple[CardId, ...]]
    seed: bytes | None


def read(pairs: list[Pair], games: Mapping[str, Game], timed: bool = False) -> Header:
    """Parse the header pairs. Raises FormatError with the line of the wrong pair. `timed` is True if the opening has a
    time: a program recorded it, under the values that its version had at first (`Game.corrected`)."""
    by_name = _index_pairs(pairs)
    if "Game" not in by_name:
        raise FormatError(Text("header.none"))
    name = by_name["Game"]
    if name.values[0] not in games:
        raise name.line.error(explain_unknown("game", name.values[0], games))
    game = games[name.values[0]]
    rules, raw, why = _read_rules(game, pairs, by_name, timed)
    law = None if rules is None else Law(game, rules)
    seats, names = _read_seats(law or Law(game, next(iter(game.versions.values()))), pairs)
    schema = _read_schema(law, by_name)
    decks, mains, sides = _resolve_decks(law, pairs, seats)

    def text(of: str) -> str:
        return by_name[of].values[0] if of in by_name else ""

    pledges = _read_pledges(pairs)
    more: dict[str, Any] = {"pledges": pledges} if pledges else {}
    opened = (Undealt if _is_undealt(by_name, more) else Pledged if pledges else Opened)(
        game=game.key,
        version=text("Version"),
        rules=raw,
        rules_hash=text("RulesHash") or digest(rules),
        schema=schema,
        seats=seats,
        names=names,
        decks=mains,
        match=text("Match"),
        commitment=text("Commitment"),
        by=text("By"),
        parent=text("Parent"),
        parent_at=_read_parent_at(by_name.get("Parent")),
        sides=sides,
        occasion=_read_occasion(by_name),
        policy=_parse_json(by_name["Policy"], dict[str, Any]) if "Policy" in by_name else {},
        **more,
    )
    return Header(game, law, why, opened, decks, _read_card_ids(pairs, decks), _read_seed(by_name.get("Seed")))


def _read_occasion(by_name: Mapping[str, Pair]) -> Occasion:
    """Return the occasion of the match. `Venue` is the former name of `Site`."""
    if "Venue" in by_name and "Site" in by_name:
        raise by_name["Venue"].line.error(Text("header.twice", {"name": "Site"}))
    named = {**by_name, "Site": by_name["Venue"]} if "Venue" in by_name else by_name
    names = {field.name: field.name.capitalize() for field in fields(Occasion)}
    return occasion_of({name: named[pair].values[0] for name, pair in names.items() if pair in named})


def _read_pledges(pairs: list[Pair]) -> dict[Seat, str]:
    pledges: dict[Seat, str] = {}
    for pair in (pair for pair in pairs if pair.name == "Pledge"):
        seat, pledge = pair.values
        if seat in pledges:
            raise pair.line.error(Text("header.pledge_twice", {"seat": quote_input(seat)}))
        pledges[Seat(seat)] = pledge
    return pledges


def _is_undealt(by_name: dict[str, Pair], pledges: Mapping[str, object]) -> bool:
    pair = by_name.get("Deal")
    if pair is not None and pair.values[0] != NO_DEAL:
        raise pair.line.error(Text("header.deal", {"text": quote_input(pair.values[0])}))
    if pair is not None and pledges:
        raise pair.line.error(Text("pledge.real"))
    return pair is not None


def _index_pairs(pairs: list[Pair]) -> dict[str, Pair]:
    by_name: dict[str, Pair] = {}
    for pair in pairs:
        if pair.name not in NAMES:
            raise pair.line.error(explain_unknown("header", pair.name, NAMES))
        least, most = NAMES[pair.name]
        if not least <= len(pair.values) <= most:
            counts = f"{least}" if least == most else Text("header.or", {"least": least, "most": most})
            about = {"name": pair.name, "many": counts, "given": len(pair.values)}
            raise pair.line.error(Text("header.values", about))
        if pair.name in by_name and pair.name not in REPEATED:
            raise pair.line.error(Text("header.twice", {"name": pair.name}))
        by_name[pair.name] = pair
    return by_name


def _read_rules(
    game: Game, pairs: list[Pair], by_name: dict[str, Pair], timed: bool
) -> tuple[Any, dict[str, Any], Text | None]:
    """Return the rules, their plain values, and the error if this program cannot use them."""
    if "Rules" in by_name:
        for other in ("Frame", "Set"):
            if other in by_name:
                raise by_name[other].line.error(Text("header.exclude", {"name": other}))
        raw = _parse_json(by_name["Rules"], dict[str, Any])
        try:
            return load(game, raw), raw, None
        except RulesetError as error:
            if "RulesHash" not in by_name:
                raise by_name["Rules"].line.error(error.text) from None
            return None, raw, error.text
    if "Version" not in by_name:
        raise FormatError(explain_unknown("version", "", game.versions))
    pair = by_name["Version"]
    try:
        rules = make_ruleset(game, pair.values[0], by_name["Frame"].values[0] if "Frame" in by_name else "")
        if timed:
            rules = with_settings(game, rules, dict(game.corrected.get(pair.values[0], {})))
        current = values(rules)
        for pair in (pair for pair in pairs if pair.name == "Set"):
            key, value = pair.values
            if key not in current:
                raise pair.line.error(explain_unknown("option", key, current, lists=False))
            rules = with_settings(game, rules, {key: read_setting(current[key], value)})
    except RulesetError as error:
        raise pair.line.error(error.text) from None
    return rules, stored_values(rules), None


def _parse_json(pair: Pair, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(pair.values[0], type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise pair.line.error(Text("header.json", {"name": pair.name, "why": explain_decode_error(error)})) from None


def _read_schema(law: Law | None, by_name: dict[str, Pair]) -> Schema:
    if "Schema" in by_name:
        return _parse_json(by_name["Schema"], Schema)
    if law is None:
        raise by_name["Rules"].line.error(Text("header.no_schema"))
    return law.schema()


def _read_seats(law: Law, pairs: list[Pair]) -> tuple[tuple[Seat, ...], dict[Seat, str]]:
    named = [pair for pair in pairs if pair.name == "Seat"]
    seats = tuple(Seat(pair.values[0]) for pair in named) or law.seats()
    if len(set(seats)) != len(seats):
        raise named[-1].line.error(Text("header.seat_twice"))
    return seats, {Seat(pair.values[0]): pair.values[1] for pair in named if len(pair.values) > 1}


def _by_seat(pairs: list[Pair], name: str) -> Iterator[tuple[Seat, list[Token], Line]]:
    for pair in pairs:
        if pair.name == name:
            with pair.line.errors():
                words = tokens(pair.values[1])
            yield Seat(pair.values[0]), words, pair.line


def _resolve_decks(
    law: Law | None, pairs: list[Pair], seats: tuple[Seat, ...]
) -> tuple[dict[Seat, Deck], dict[Seat, tuple[str, ...]], dict[Seat, tuple[str, ...]]]:
    """Return the decks that are dealt, and the parts that the record holds. `[Deck "p1" "-"]` withholds a deck."""
    mains, sides = _read_decks(pairs, "Deck", seats), _read_decks(pairs, "Side", seats)
    dealt: dict[Seat, Deck] = {}
    for seat in seats:
        default = _default_deck(law, seat)
        main = mains.setdefault(seat, default.main)
        side = sides.setdefault(seat, _default_side(default, main is not None))
        dealt[seat] = _dealt_deck(default, main, side)
    return dealt, _drop_unset_parts(mains, seats), _drop_unset_parts(sides, seats)


def _read_decks(pairs: list[Pair], name: str, seats: tuple[Seat, ...]) -> dict[Seat, tuple[str, ...] | None]:
    listed: dict[Seat, tuple[str, ...] | None] = {}
    for seat, faces, line in _by_seat(pairs, name):
        if seat not in seats:
            raise line.error(explain_unknown("seat", seat, seats))
        hidden = [token.text for token in faces] == [EMPTY]
        with line.errors():
            listed[seat] = None if hidden else tuple(read_word(token) for token in faces)
    return listed


def _drop_unset_parts(
    parts: Mapping[Seat, tuple[str, ...] | None], seats: tuple[Seat, ...]
) -> dict[Seat, tuple[str, ...]]:
    return {seat: part for seat in seats if (part := parts[seat]) is not None}


def _default_deck(law: Law | None, seat: Seat) -> Deck:
    return law.default_deck(seat) if law is not None else Deck(())


def _dealt_deck(default: Deck, main: tuple[str, ...] | None, side: tuple[str, ...] | None) -> Deck:
    """Return the deck to deal if the record withholds a part of it."""
    fallback_side = default.side if main is None else ()
    return Deck(default.main if main is None else main, fallback_side if side is None else side)


def _default_side(default: Deck, has_main: bool) -> tuple[str, ...] | None:
    """Return the default side deck. An empty one is not written."""
    return default.side or None if has_main else None


def _read_card_ids(pairs: list[Pair], decks: Decks) -> dict[Seat, tuple[CardId, ...]]:
    cards = numbered(decks)
    for seat, listed, line in _by_seat(pairs, "Cards"):
        if seat not in decks:
            raise line.error(explain_unknown("seat", seat, decks))
        with line.errors():
            cards[seat] = tuple(CardId(read_integer(token)) for token in listed)
        if len(cards[seat]) != len(decks[seat].faces):
            about = {"seat": seat, "cards": len(decks[seat].faces), "ids": len(cards[seat])}
            raise line.error(Text("header.ids", about))
    ids = [card for row in cards.values() for card in row]
    if len(set(ids)) != len(ids):
        where = next((pair.line for pair in pairs if pair.name == "Cards"), Line(1, ""))
        raise where.error(Text("header.one_id"))
    return cards


def numbered(decks: Decks) -> dict[Seat, tuple[CardId, ...]]:
    """Return the default card ids: 1, 2, 3 ... by seat in the order of the decks."""
    cards: dict[Seat, tuple[CardId, ...]] = {}
    last = 0
    for seat, deck in decks.items():
        cards[seat] = tuple(CardId(last + number) for number in range(1, len(deck.faces) + 1))
        last += len(deck.faces)
    return cards


def _read_parent_at(pair: Pair | None) -> int:
    """Return the entry where a branch begins; 0 in older records that lack it."""
    if pair is None or len(pair.values) == 1:
        return 0
    with pair.line.errors():
        return read_integer(Token(pair.values[1], 1))


def _read_seed(pair: Pair | None) -> bytes | None:
    if pair is None:
        return None
    try:
        return bytes.fromhex(pair.values[0])
    except ValueError:
        raise pair.line.error(Text("header.seed", {"text": quote_input(pair.values[0])})) from None


def write(game: Game, opened: Opened) -> tuple[list[str], Header]:
    """Write the header of an opening, and return it as parsed back."""
    lines = [f"[Game {quote(opened.game)}]", *([f"[Match {quote(opened.match)}]"] if opened.match else [])]
    law, rule_lines = _write_rules(game, opened)
    lines += rule_lines
    for seat in opened.seats:
        named = f" {quote(opened.names[seat])}" if seat in opened.names else ""
        lines.append(f"[Seat {quote(seat)}{named}]")
    lines += [f"[{name.capitalize()} {quote(text)}]" for name, text in asdict(opened.occasion).items() if text]
    lines += [f"[Policy {quote(msgspec.json.encode(opened.policy).decode())}]"] if opened.policy else []
    lines += _write_cards(law, opened)
    lines += [f"[Deal {quote(NO_DEAL)}]"] if isinstance(opened, Undealt) else []
    if isinstance(opened, Pledged):
        lines += [f"[Pledge {quote(seat)} {quote(pledge)}]" for seat, pledge in opened.pledges.items()]
    for name, value in (("Commitment", opened.commitment), ("By", opened.by), ("Parent", opened.parent)):
        if value:
            at = f" {quote(str(opened.parent_at))}" if name == "Parent" and opened.parent_at else ""
            lines.append(f"[{name} {quote(value)}{at}]")
    return lines, read(divide("\n".join(lines).split("\n"))[0], {game.key: game})


def _write_rules(game: Game, opened: Opened) -> tuple[Law | None, list[str]]:
    """Return the law, None if its rules are unusable, and the pairs of the rules."""
    lines = [f"[Version {quote(opened.version)}]"] if opened.version else []
    if (by_name := _named_rules(game, opened)) is not None:
        rules, named = by_name
        lines += named
    else:
        lines.append(f"[Rules {quote(msgspec.json.encode(opened.rules).decode())}]")
        try:
            rules = load(game, opened.rules)
        except RulesetError:
            rules = None
    if rules is None or digest(rules) != opened.rules_hash:
        lines.append(f"[RulesHash {quote(opened.rules_hash)}]")
    if rules is None or game.schema(rules) != opened.schema:
        lines.append(f"[Schema {quote(msgspec.json.encode(opened.schema).decode())}]")
    return None if rules is None else Law(game, rules), lines


def _named_rules(game: Game, opened: Opened) -> tuple[Any, list[str]] | None:
    """Return the rules and the shortest pairs of frame and options that give exactly these rules, or None."""
    if opened.version not in game.versions:
        return None
    best: tuple[Any, list[str]] | None = None
    for frame in ("", *game.regulations_in(opened.version)):
        base = make_ruleset(game, opened.version, frame)
        current = values(base)
        lines = [f"[Frame {quote(frame)}]"] if frame else []
        settings: dict[str, Any] = {}
        explicit = game.corrected.get(opened.version, {})
        for key, value in opened.rules.items():
            if key in current and (current[key] != value or key in explicit):
                text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
                settings[key] = read_setting(current[key], text)
                lines.append(f"[Set {quote(key)} {quote(text)}]")
        try:
            rules = with_settings(game, base, settings)
        except RulesetError:
            continue
        if stored_values(rules) == opened.rules and (best is None or len(lines) < len(best[1])):
            best = rules, lines
    return best


def _write_cards(law: Law | None, opened: Opened) -> list[str]:
    lines: list[str] = []
    decks: dict[Seat, Deck] = {}
    for seat in opened.seats:
        default = _default_deck(law, seat)
        main, side = opened.decks.get(seat), opened.sides.get(seat)
        if main != default.main:
            lines.append(_write_deck_part("Deck", seat, main))
        if side != _default_side(default, main is not None):
            lines.append(_write_deck_part("Side", seat, side))
        decks[seat] = _dealt_deck(default, main, side)
    cards = _list_card_ids(opened, decks)
    if cards != numbered(decks):
        for seat, row in cards.items():
            lines.append(f"[Cards {quote(seat)} {quote(' '.join(str(card) for card in row))}]")
    return lines


def _write_deck_part(name: str, seat: Seat, faces: tuple[str, ...] | None) -> str:
    text = EMPTY if faces is None else " ".join(write_word(face) for face in faces)
    return f"[{name} {quote(seat)} {quote(text)}]"


def _list_card_ids(opened: Opened, decks: Decks) -> dict[Seat, tuple[CardId, ...]]:
    """Return the ids of the decks' cards: for each face, the created cards in order of creation. If a face was not
    created or an id occurs twice, return the default ids."""
    cards: dict[Seat, tuple[CardId, ...]] = {}
    for seat, deck in decks.items():
        created = [
            (card, face)
            for _, fact in opened.told
            if isinstance(fact, Created) and fact.owner == seat
            for card, face in zip(fact.cards, fact.faces, strict=False)
        ]
        row: list[CardId] = []
        for face in deck.faces:
            at = next((at for at, card in enumerate(created) if card[1] == face), None)
            if at is None:
                return numbered(decks)
            row.append(created.pop(at)[0])
        cards[seat] = tuple(row)
    ids = [card for row in cards.values() for card in row]
    return cards if len(set(ids)) == len(ids) else numbered(decks)
