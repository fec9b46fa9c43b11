"""Boards of every match in the repository for every viewer: each visible card is drawn exactly once."""

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.layout import Layer, Layout, SlotDisplay, plain_layout, unknown_names
from domain.law.record import Record
from domain.law.rulesets import make_ruleset
from domain.table.redact import SeenCard, View
from domain.words import LANGS
from service.drawing.board import frame, strips
from service.drawing.setting import visible_cards
from tests.rotation import rotate
from tests.service.matches import MATCHES, SHELVED, match_of, moments

SERVICE = Path(__file__).parents[2] / "service"
SAMPLES = 1
"""Number of sampled entries of a match, besides its last."""
VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()
        assert self.open == [], text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"<{tag}> has an attribute twice"
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.elements if name in attributes]


def draw_page(record: Record, view: View, layout: Layout | None) -> Page:
    return Page(frame(view, record.law, record.opening.schema, "ja", layout=layout))


def foreign(key: str) -> Layout | None:
    others = sorted(GAMES)
    return GAMES[others[(others.index(key) + 1) % len(others)]].layout() if key in GAMES else GAMES[others[0]].layout()


@pytest.mark.parametrize(
    ("key", "name", "laid"), rotate([(*match, laid) for match in MATCHES for laid in ("own", "plain", "foreign")], 12)
)
def test_every_card_that_is_seen_is_drawn_once_and_no_other_is(key: str, name: str, laid: str) -> None:
    record = match_of(key, name)
    schema = record.opening.schema
    layout = {"own": None, "plain": plain_layout(schema), "foreign": foreign(key)}[laid]
    for moment in moments(key, name, SAMPLES):
        page = draw_page(record, moment.view, layout)
        things = Counter(str(card.thing) for card in visible_cards(moment.view) if card.thing)
        assert Counter(page.all("data-t")) == things
        assert Counter(page.all("id")) == Counter({f"t{thing}": n for thing, n in things.items()})
        unseen = sum(
            max(0, (place.count or place.least or 0) - sum(1 + len(card.tied) for card in place.cards))
            for place in (*moment.view.shared, *(place for seat in moment.view.seats for place in seat.places))
        )
        pieces = [attributes for tag, attributes in page.elements if "c" in attributes.get("class", "").split()]
        numberless = [piece for piece in pieces if "data-t" not in piece]
        assert all(piece["aria-label"] for piece in pieces)
        assert (unseen > 0) == any("many" in piece["class"].split() for piece in numberless)


@pytest.mark.parametrize(("key", "name"), rotate(MATCHES, 6))
def test_the_frame_holds_each_strip_once_and_is_the_same_all_along(key: str, name: str) -> None:
    record = match_of(key, name)
    law, schema = record.law, record.opening.schema
    frames: dict[tuple[str, bool], set[str]] = {}
    for moment in moments(key, name, SAMPLES):
        for layout in (None, plain_layout(schema)):
            each = strips(moment.view, law, schema, "en", layout)
            whole = str(frame(moment.view, law, schema, "en", layout=layout))
            for strip_key, strip in each.items():
                assert whole.count(strip) == 1
                assert Page(strip).elements[0][1]["data-strip"] == strip_key
                whole = whole.replace(strip, f"[{strip_key}]")
            assert sorted(re.findall(r"\[(.*?)\]", whole)) == sorted(each)
            frames.setdefault((moment.view.viewer, layout is None), set()).add(whole)
    assert all(len(held) == 1 for held in frames.values())


@pytest.mark.parametrize("near", [0, 1])
def test_a_board_is_turned_by_its_frame_alone(near: int) -> None:
    for key, name in SHELVED[:: len(SHELVED) // 3]:
        record = match_of(key, name)
        view = next(moments(key, name, 1)).view
        seat = record.opening.seats[near]
        whole = str(frame(view, record.law, record.opening.schema, "en", seat))
        assert Page(whole).all("data-near") == [seat]
        assert all(strip in whole for strip in strips(view, record.law, record.opening.schema, "en").values())


def unnumbered(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(unnumbered, value))
    if isinstance(value, SeenCard):
        value = replace(value, card=None)
    if not isinstance(value, Struct):
        return value
    return replace(value, **{field: unnumbered(getattr(value, field)) for field in value.__struct_fields__})


@pytest.mark.parametrize(("key", "name"), rotate(MATCHES, 6))
def test_no_board_holds_a_card_id_a_style_or_a_script(key: str, name: str) -> None:
    record = match_of(key, name)
    law, schema = record.law, record.opening.schema
    ids = 0
    for moment in moments(key, name, SAMPLES):
        text = frame(moment.view, law, schema, "en")
        page = Page(text)
        assert {attribute for _, attributes in page.elements for attribute in attributes} <= ALLOWED
        assert {tag for tag, _ in page.elements} <= TAGS
        bare = unnumbered(moment.view)
        ids += bare != moment.view
        assert frame(bare, law, schema, "en") == text
    assert ids


ALLOWED = frozenset(
    re.findall(r"[\w-]+", "class id data-t data-strip data-near data-at data-r aria-label aria-hidden role hidden")
)
TAGS = frozenset(re.findall(r"\w+", "b details div h3 header i li ol p q section small span summary sup ul"))


def test_names_from_outside_are_escaped() -> None:
    record = match_of(*SHELVED[0])
    view = next(moments(*SHELVED[0], 1)).view
    evil = replace(view, seats=tuple(replace(seat, name='<b onclick="x">&\u202e') for seat in view.seats))
    text = str(frame(evil, record.law, record.opening.schema, "en"))
    assert "&lt;b onclick=&#34;x&#34;&gt;&amp;\\u202e" in text and "<b onclick" not in text
    Page(text)


def test_a_board_is_drawn_in_both_languages() -> None:
    for key, name in SHELVED[::14]:
        record = match_of(key, name)
        view = next(moments(key, name, 1)).view
        english, japanese = (str(frame(view, record.law, record.opening.schema, lang)) for lang in LANGS)
        assert not re.search("[ぁ-ヿ一-鿿]", english) and re.search("[ぁ-ヿ一-鿿]", japanese)


def test_the_service_names_no_game_and_no_clause() -> None:
    prefixes = {clause.split("-")[0] for game in GAMES.values() for clause in game.rulebook.clauses}
    named = re.compile(rf"\b({'|'.join(GAMES)})\b|\b({'|'.join(prefixes)})-\d|style=", re.IGNORECASE)
    sources = [path for path in SERVICE.rglob("*") if path.suffix in (".py", ".css", ".html", ".js", ".toml")]
    assert len(sources) > 8
    assert [path.name for path in sources if named.search(path.read_text(encoding="utf-8"))] == []


VERSIONS = [(key, version) for key, game in sorted(GAMES.items()) for version in game.versions]

LAID_OUT = ("blackpoker", "dea", "grimoire", "skillbook")
"""Games with a layout; other tables are drawn in the order of their schema."""


def test_a_layout_names_what_the_table_has_and_the_game_has_words_for() -> None:
    for key, version in VERSIONS:
        game = GAMES[key]
        layout = game.layout()
        assert layout is not None or key not in LAID_OUT
        for regulation in game.regulations_in(version) or ("",):
            schema = game.schema(make_ruleset(game, version, regulation))
            layout = layout or plain_layout(schema)
            assert unknown_names(layout, schema) == unknown_names(plain_layout(schema), schema) == []
            assert {slot.area for band in plain_layout(schema).own for slot in band} == {
                area.name for area in schema.areas if area.per_seat
            }
        assert layout is not None
        named = {shown.area for shown in layout.areas()} | {mark for shown in layout.areas() for mark in shown.figures}
        assert named - set(game.rulebook.words) == set()


def test_what_the_table_does_not_have_is_named() -> None:
    game = GAMES[min(GAMES)]
    schema = game.schema(game.latest)
    wrong = Layout(
        own=((SlotDisplay(area="attic", badges=("luck",)),),),
        grids=((Layer(area="attic"),), (Layer(area=schema.areas[0].name),), ()),
        looks={"asleep": "dashed"},
    )
    assert unknown_names(wrong, schema) == [
        "area attic",
        "area attic",
        "mark luck",
        "stance asleep",
        "grid attic",
        f"grid {schema.areas[0].name}",
        "grid ",
    ]


@pytest.mark.parametrize(
    "text",
    ['{"own": [], "bands": []}', '{"own": [[{"area": "a", "shape": "ring"}]]}', '{"own": [[{"areas": "a"}]]}', "{}"],
)
def test_a_layout_with_anything_else_in_it_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Layout)
