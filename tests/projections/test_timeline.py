"""The timeline: numbered lines in both languages, with abandoned lines marked."""

import msgspec

from domain.law.entries import Closed, Gap, Noted, Restored, Rewound
from domain.law.rulebook import Lang
from domain.table.facts import Turned
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, CardId
from projections.rows import plain
from projections.timeline import render_timeline, timeline
from tests.laws.samples import sample
from tests.projections.records import GAME, P1, P2, by_hand, laid_out, play
from tests.rows import for_each
from tests.shelves import seen_by

START = laid_out({"p1.hand": "H8 S2 HJ", "p2.hand": "C3 D3", "p1.bulwarks": "C8", "p1.soldiers": "S4"})
LEFT = play(START, "p1: set_bulwark", "p1: choose_bulwark_card HJ")
WHOLE = [
    *play([*LEFT, Rewound(to=1, reason="it was p2's turn", by="judge")], "p1: up H8 S2 S4", "p2: pass !"),
    by_hand(Turned((CardId(28),), up=True)),
    Gap(by="judge", reason="cut", most=3),
    Gap(by="Mia", reason="lost"),
    Noted(by="judge", text="both agree"),
    Closed(by="judge"),
]


@for_each(
    "lang, expected",
    [
        (
            "en",
            [
                "BlackPoker edition 8.1 Lite, source text opened; ruleset",
                "Aoi: Set bulwark",
                "Aoi: choose the bulwark's card: card u",
                "rewound to entry 1 by judge: it was p2's turn",
                "Aoi: Up: key cards H8 (u",
                "p2: pass",
                "corrected by judge: seen on the table",
                "gap: at most 3 actions missing (judge): cut",
                "gap: unknown number of actions missing (Mia): lost",
                "note by judge",
                "closed by judge",
            ],
        ),
        (
            "ja",
            [
                "ブラックポーカー 8.1版ライト（原文） 開始",
                "Aoi：防壁設置",
                "Aoi：防壁にするカードを選ぶ：カード u",
                "審判が記録1まで巻き戻し：it was p2's turn",
                "Aoi：アップ：キーカード H8(u",
                "p2：パス",
                "審判による訂正：seen on the table",
                "抜け：記録されていないアクションは最大3個（審判）：cut",
                "抜け：記録されていないアクションの数は不明（Mia）：lost",
                "審判のメモ",
                "審判による終了",
            ],
        ),
    ],
)
def test_a_record_in_words(lang: Lang, expected: list[str]) -> None:
    lines = timeline(*seen_by(GAME, WHOLE, P2), lang)
    assert [one.number for one in lines] == list(range(1, len(WHOLE) + 1))
    for line, text in zip(lines, expected, strict=True):
        assert line.text.startswith(text), line.text


def test_a_line_that_was_left_is_marked_and_still_readable() -> None:
    lines = timeline(*seen_by(GAME, WHOLE, P1), "en")
    assert [one.number for one in lines if one.left] == [2, 3]
    assert "HJ" in lines[2].text and lines[2].facts
    assert [one.number for one in timeline(*seen_by(GAME, WHOLE, P1), "en", 3) if one.left] == []


def test_a_line_that_was_restored_counts_again_and_the_other_is_left() -> None:
    restored = [*WHOLE[:-1], Restored(to=3, reason="it was p1's turn", by="judge")]
    for lang, text in (("en", "entry 3 restored by judge: it was p1's turn"), ("ja", "審判が記録3までの手順を復元：")):
        lines = timeline(*seen_by(GAME, restored, P1), lang)
        assert [one.number for one in lines if one.left] == [4, 5, 6, 7, 8, 9], "a note stays"
        assert lines[-1].kind == "restored" and lines[-1].text.startswith(text)


def test_facts_come_with_their_clauses_and_only_as_seen() -> None:
    own, others = (timeline(*seen_by(GAME, WHOLE, viewer), "en")[2].facts for viewer in (P1, P2))
    assert [fact.clause for fact in own] == [fact.clause for fact in others] == ["BP-8.3", "BP-8.3"]
    assert own[0].text.startswith("HJ (u") and others[0].text.startswith("u")
    assert own[0].text.endswith("Aoi's hand → Aoi's bulwarks")


def test_what_was_played_against_the_rules_says_so() -> None:
    line = timeline(*seen_by(GAME, WHOLE, SPECTATOR), "en")[5]
    assert line.violations
    text = plain(render_timeline((line,), "en"))
    assert "as played; broken: " + ", ".join(line.violations) in text


def test_flow_lines_come_when_asked_for() -> None:
    quiet, whole = (timeline(*seen_by(GAME, WHOLE, P1), "en", flow=flow) for flow in (False, True))
    assert not any(fact.flow for line in quiet for fact in line.facts)
    assert any(fact.flow and "r1" in fact.text for line in whole for fact in line.facts)


@for_each("seed", range(4))
@for_each("lang", ["en", "ja"])
def test_a_random_match_reads_for_everybody(seed: int, lang: Lang) -> None:
    one = sample("blackpoker", seed)
    for viewer in (P1, P2, SPECTATOR, JUDGE):
        lines = timeline(*seen_by(one.game, one.entries, viewer), lang, flow=True)
        text = plain(render_timeline(lines, lang))
        assert len(lines) == len(one.entries)
        assert "{" not in text and "None" not in text
        assert msgspec.json.decode(msgspec.json.encode(lines))[0]["number"] == 1
