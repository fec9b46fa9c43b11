"""Score sheets over HTTP: recorded once and whole, by permitted roles, and merged from two."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from domain.formats.sheets import read_sheet, reconcile
from domain.games import GAMES
from domain.law import entries as E
from domain.words import Text
from recorder import sheet_recording
from recorder.store import Conflict, Store
from service.access import Role
from service.recording import sheet_forms, sheets as service_sheets
from service.settings import Settings
from tests.formats.sheets import HEAD
from tests.places import Place
from tests.service.commands import send, uuid
from tests.service.harness import Served, serve

SHEETS = "/api/v1/sheets"
PAPER = Path(__file__).parents[2] / "fixtures" / "blackpoker" / "paper"
KANA, JUN = ((PAPER / f"{name}.sheet").read_text(encoding="utf-8") for name in ("kana", "jun"))
LINES = (
    "chance: shuffle_deck p2 shows=S4,S2,C5,D7",
    "Ren: summon_ace HA shows=CA",
    "Ren: pass",
    "Aoi: pass",
    "Ren: set_bulwark shows=SA",
    "Ren: choose_bulwark_card C6",
)


def sheet_of(*lines: str, head: str = HEAD) -> str:
    return head + "\n".join(lines) + "\n"


def take(
    served: Served, text: str | bytes, role: Role = "scorekeeper", *matches: str, name: str = "", **query: str
) -> Any:
    headers = served.person(role, *matches, name=name) if role != "spectator" else {"Origin": "http://testserver.local"}
    headers |= {"Idempotency-Key": key} if (key := query.pop("id", "")) else {}
    data = text if isinstance(text, bytes) else text.encode()
    return served.client.post(SHEETS, content=data, params=query, headers=headers)


def nothing(served: Served) -> bool:
    return served.context.store.matches() == []


def test_a_sheet_is_recorded_whole_and_once_under_the_name_of_whoever_sent_it(served: Served) -> None:
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    first = take(served, KANA, id=uuid(1))
    assert first.status_code == 201, first.text
    took = first.json()
    assert took["match"] == "table-9" and took["head"] == 59 and took["opened"] and len(took["lines"]) == 57
    assert [line["violations"] for line in took["lines"] if "violations" in line] == [["BP-8.2"]]
    match = served.context.match("table-9")
    assert match.opening.by == "scorekeeper scorekeeper (Kana)" and match.version == 59 and woken == ["table-9"]
    again = take(served, KANA, id=uuid(1))
    assert again.status_code == 200 and again.headers["Idempotent-Replay"] == "1"
    assert all(line["known"] for line in again.json()["lines"]) and "opened" not in again.json()
    assert served.context.match("table-9").version == 59
    other = take(served, sheet_of(*LINES), id=uuid(1), match="table-9")
    assert other.status_code == 409 and other.json()["type"] == "/problem/command-reused"


def test_what_is_recorded_is_what_a_sheet_that_is_taken_line_by_line_comes_to(place: Place) -> None:
    with serve(Settings(store=place())) as served, Store.open(":memory:") as here:
        assert take(served, KANA).status_code == 201
        sheet = read_sheet(KANA, GAMES)
        assert sheet_recording.open_sheet(here, sheet, "table-9") == "table-9"
        taken = list(sheet_recording.record_sheet(here, sheet, "table-9"))
        entries = served.context.store.read("table-9")
        assert [(type(entry), E.entry_facts(entry)) for entry in entries] == [
            (type(entry), E.entry_facts(entry)) for entry in here.read("table-9")
        ]
        known = list(sheet_recording.record_sheet(served.context.store, sheet, "table-9"))
        assert len(known) == len(taken) == 57 and all(
            line.known for line in known if isinstance(line, sheet_recording.LineEntries)
        )


def test_a_sheet_goes_on_behind_the_lines_that_stand_and_goes_back_only_for_a_head_judge_with_a_reason(
    served: Served,
) -> None:
    assert take(served, sheet_of(*LINES[:3])).json()["head"] == 5
    more = take(served, sheet_of(*LINES))
    assert (
        more.status_code == 201
        and [line.get("known", False) for line in more.json()["lines"]] == [True] * 3 + [False] * 3
    )
    mended = sheet_of(*LINES[:5], "Ren: choose_bulwark_card S3")
    behind = take(served, mended)
    assert behind.status_code == 409 and behind.json()["line"] == 13 and "entry 7" in behind.json()["en"]
    assert take(served, mended, mend="it was the 3").status_code == 403
    sealed = take(served, mended, "head", mend="it was the 3")
    assert sealed.status_code == 403 and sealed.json()["type"] == "/problem/sealed"
    headers = served.bearer("head")
    assert served.client.post("/api/v1/matches/t1/seal", json={"viewer": "judge"}, headers=headers).is_success
    done = served.client.post(SHEETS, content=mended.encode(), params={"mend": "it was the 3"}, headers=headers)
    assert done.status_code == 201, done.text
    assert any(isinstance(entry, E.Rewound) and entry.to == 7 for entry in served.context.match("t1").entries)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (b"\xff\xfe" + KANA.encode(), 1, "UTF-8"),
        (KANA.replace("Ren: summon_ace HA shows=CA", "Ren: summon_aec HA shows=CA").encode(), 12, "summon_ace"),
        (KANA.replace('[Game "blackpoker"]', '[Game "blackpocker"]').encode(), 2, "blackpoker"),
        (KANA.replace('[Seat "p2" "Ren"]', '[Seat "p9" "Ren"]').encode(), 0, "p9"),
        (KANA.replace("shows=C6", "shows=ZZ", 1).encode(), 0, "ZZ"),
        (sheet_of(*LINES[:1], "Ren: summon_ace HA", *LINES[2:]).encode(), 9, "shows="),
        (sheet_of(*LINES[:1], "Ren: summon_ace u99 shows=CA", *LINES[2:]).encode(), 9, "u99"),
        (sheet_of(*LINES[:4], "learn u57 H9", "learn u57 H8").encode(), 13, "H9"),
        (sheet_of(*LINES[:4], 'correct "x"', "    + move u57 p9.hand").encode(), 13, "p9"),
        (sheet_of('[Deck "p1" "' + "?x999 " * 40_000 + '"]', head=HEAD.rstrip() + "\n").encode(), 7, "cards"),
        (b"", 1, ""),
        (b"\x00" * 1_000, 1, ""),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_recorded(served: Served, text: bytes, line: int, said: str) -> None:
    answer = take(served, text)
    assert answer.status_code in (400, 422), answer.text
    told = answer.json()
    assert said in told["en"] and told["ja"], told
    assert not line or (told["line"] == line and told["column"] >= 1), told
    assert nothing(served)


def test_faces_that_a_sheet_leaves_out_are_sent_beside_it_and_it_is_known_again_without_them(served: Served) -> None:
    text = sheet_of(LINES[0], "Ren: summon_ace HA", *LINES[2:])
    for shows, line, said in (
        ({}, 9, "p2.grave"),
        ({"9": ["ZZ"]}, 9, "ZZ"),
        ({"9": ["CA", "S3"]}, 9, "S3"),
        ({"9": ["CA"], "12": ["S3"]}, 12, "S3"),
        ({"9": ["CA"], "99": ["S3"]}, 99, "S3"),
    ):
        refused = served.post(f"{SHEETS}:take", {"text": text, "shows": shows}, "scorekeeper")
        assert refused.status_code == 400, refused.text
        assert refused.json()["line"] == line and said in refused.json()["en"] and nothing(served)
    assert served.post(f"{SHEETS}:take", {"text": text, "shows": {"0": ["CA"]}}, "scorekeeper").status_code == 400
    body = {"text": text, "shows": {"9": ["CA"]}}
    named = served.person("scorekeeper") | {"Idempotency-Key": uuid(1)}
    took = served.post(f"{SHEETS}:take", body, headers=named)
    assert took.status_code == 201 and "CA" not in took.text
    assert "CA" in {piece.face for piece in served.context.match("t1").table.pieces.values()}
    for again in (take(served, text), served.post(f"{SHEETS}:take", body, headers=named)):
        assert again.status_code == 200 and all(line["known"] for line in again.json()["lines"])
    other = served.post(f"{SHEETS}:take", body | {"shows": {"9": ["S3"]}}, headers=named)
    assert other.status_code == 409 and other.json()["type"] == "/problem/command-reused"


def test_a_match_that_is_another_one_is_left_as_it_is(served: Served) -> None:
    served.open("blackpoker", "8.1-lite", match="t1")
    before = served.context.store.read_bytes("t1")
    for role in ("scorekeeper", "head"):
        assert take(served, sheet_of(*LINES), role).status_code == 403, "it was recorded by somebody else"
    headers = served.bearer("head")
    served.client.post("/api/v1/matches/t1/seal", json={"viewer": "judge"}, headers=headers)
    answer = served.client.post(SHEETS, content=sheet_of(*LINES).encode(), headers=headers)
    assert answer.status_code == 409 and answer.json()["type"] == "/problem/exists"
    assert served.context.store.read_bytes("t1")[: len(before)] == before
    assert take(served, sheet_of(*LINES), match="no id / at all").status_code == 400


def test_a_sheet_is_as_large_as_a_long_match_and_no_larger(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    large = take(served, KANA + "; " + "x" * 5_000_000)
    assert large.status_code == 413 and large.json()["type"] == "/problem/too-large" and nothing(served)
    assert len(KANA) < 65_536 < sheet_forms.SIDE_MAX
    assert take(served, KANA + "; " + "x" * 100_000 + "\n").status_code == 201


def test_a_sheet_of_too_many_lines_is_refused_with_the_limit(served: Served) -> None:
    long = KANA + ";\n" * sheet_forms.LINES_MAX
    told = {"text": long, "shows": {}}
    for answer in (
        take(served, long),
        served.post(f"{SHEETS}:take", told, "scorekeeper"),
        lay(served, "compare", {"a": {"text": KANA}, "b": {"text": long}}),
        lay(served, "settle", {"a": {"text": long}, "b": {"text": KANA}}),
    ):
        assert answer.status_code == 413 and "at most 5000" in answer.json()["en"], answer.text
    assert nothing(served)


def test_sheets_that_differ_too_much_are_not_compared_to_the_end(served: Served) -> None:
    """The service limits the time of a comparison, the command line does not."""
    a, b = (sheet_of(*[f"{seat}: pass"] * 250, *[f"{seat}: concede"] * 250) for seat in ("Aoi", "Ren"))
    assert not isinstance(reconcile(read_sheet(a, GAMES), read_sheet(b, GAMES)), Text)
    answer = lay(served, "compare", {"a": {"text": a}, "b": {"text": b}})
    assert answer.status_code == 400 and "too little in common" in answer.json()["en"]


def test_ends_of_lines_are_those_of_any_system(served: Served) -> None:
    assert take(served, KANA.replace("\n", "\r\n")).status_code == 201
    assert take(served, KANA).status_code == 200


def test_a_sheet_without_a_match_is_one_match_however_often_it_is_sent(served: Served) -> None:
    head = HEAD.replace('[Match "t1"]\n', "")
    ids = {take(served, sheet_of(*LINES, head=head), id=uuid(1)).json()["match"] for _ in range(2)}
    ids |= {take(served, sheet_of(*LINES, head=head)).json()["match"] for _ in range(2)}
    assert len(ids) == 2 and len(served.context.store.matches()) == 2


def test_what_somebody_wrote_meanwhile_is_heeded(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of another sheet arrives between preview and recording: the new lines follow it, or none is recorded."""
    assert take(served, sheet_of(*LINES[:2])).status_code == 201
    record, calls = service_sheets.record_prepared_sheet, count()

    def late(store: Store, ready: Any) -> int | Conflict:
        if next(calls) == 0:
            assert send(served, "t1", {"kind": "note", "text": "x"}, id=7).status_code == 201
        return record(store, ready)

    monkeypatch.setattr(service_sheets, "record_prepared_sheet", late)
    assert take(served, sheet_of(*LINES)).status_code == 201
    kinds = [type(entry) for entry in served.context.match("t1").entries]
    assert kinds[4] is E.Noted and kinds.count(E.Played) == 7 and next(calls) == 2


def test_a_transaction_that_fails_leaves_nothing(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    insert, calls = served.context.store._log.entries._insert, count()

    def fail(*given: Any) -> Any:
        if next(calls) == 4:
            raise RuntimeError("the power is cut")
        return insert(*given)

    monkeypatch.setattr(served.context.store._log.entries, "_insert", fail)
    assert take(served, sheet_of(*LINES)).status_code == 500
    assert nothing(served) and served.context.store.version("t1") == 0
    assert take(served, sheet_of(*LINES)).status_code == 201


# -- hidden cards -----------------------------------------------------------------------------------------------------
def test_nobody_reads_back_what_a_sheet_hides() -> None:
    """Two matches that differ in a face-down card look the same to all but judges."""
    seen: dict[str, list[bytes]] = {}
    for card in ("C6", "S3"):
        with serve() as served:
            took = take(served, sheet_of(*LINES[:5], f"Ren: choose_bulwark_card {card}"))
            assert took.status_code == 201 and card.encode() not in took.content
            paths = ("", "/entries", "/at/8", "/at/8/known", "/film", "/export.spn", "/export.jsonl", "/next")
            for role, seat in (("spectator", ""), ("seat", "p1"), ("scorekeeper", ""), ("head", "")):
                of = ("t1",) if seat else ()
                got = [served.get(f"/api/v1/matches/t1{path}", role, *of, seat=seat) for path in paths]  # type: ignore[arg-type]
                seen.setdefault(role, []).append(b"\n".join(answer.content for answer in got))
                if role == "head":
                    headers = served.bearer("head")
                    served.client.post("/api/v1/matches/t1/seal", json={"viewer": "judge"}, headers=headers)
                    judge = served.client.get("/api/v1/matches/t1/at/8?as=judge", headers=headers)
                    assert card.encode() in judge.content, "the positive control"
    assert all(len(set(both)) == 1 for both in seen.values()), [
        role for role, both in seen.items() if len(set(both)) > 1
    ]


def test_nobody_finds_out_by_a_sheet_what_stands_in_anothers(served: Served) -> None:
    """Right and wrong guesses get the same response, also with another command id."""
    assert take(served, sheet_of(*LINES)).status_code == 201
    before = served.context.store.read_bytes("t1")
    for role, name in (("scorekeeper", "other"), ("floor", ""), ("head", "")):
        told = [
            take(served, sheet_of(*LINES[:5], f"Ren: choose_bulwark_card {card}"), role, name=name)  # type: ignore[arg-type]
            for card in ("C6", "S3")
        ]
        assert [answer.status_code for answer in told] == [403, 403]
        assert told[0].content == told[1].content
    assert served.context.store.read_bytes("t1") == before
    rows = served.context.store._select("SELECT command FROM commands", ())
    assert len(rows) == 6 and all(row[0].startswith("sheet/") for row in rows), "no id that can be sent"


def test_somebody_of_the_same_name_does_not_continue_a_sheet(served: Served) -> None:
    assert take(served, sheet_of(*LINES[:5]), name="Ito").status_code == 201
    other = served.bearer("scorekeeper", name="Ito")
    for lines in (LINES[:5], LINES):
        answer = served.client.post(SHEETS, content=sheet_of(*lines).encode(), headers=other)
        assert answer.status_code == 403 and answer.json()["type"] == "/problem/not-your-eyes"
    assert take(served, sheet_of(*LINES), name="Ito").status_code == 201


def test_who_wrote_a_sheet_goes_on_with_it_until_a_judge_has_entered_something_else(served: Served) -> None:
    assert take(served, sheet_of(*LINES[:5])).status_code == 201
    learned = {"kind": "correct", "facts": ["learn u57 H9"], "reason": "seen"}
    assert send(served, "t1", learned, "head", id=3).status_code == 201
    answer = take(served, sheet_of(*LINES))
    assert answer.status_code == 403 and answer.json()["type"] == "/problem/not-your-eyes"
    assert "8" in answer.json()["en"] and "H9" not in answer.text


def lay(served: Served, what: str, body: Any, role: Role = "scorekeeper") -> Any:
    return served.post(f"{SHEETS}:{what}", body, role)


BOTH = {"a": {"text": KANA, "name": "kana.sheet"}, "b": {"text": JUN}}


def test_two_sheets_are_laid_side_by_side_and_made_into_one(served: Served) -> None:
    laid = lay(served, "compare", BOTH)
    assert laid.status_code == 200, laid.text
    value = laid.json()
    assert (value["a"], value["b"], value["by"]) == ("kana.sheet", "b", ["Kana", "Jun"])
    assert [each["number"] for each in value["differences"] if each["asks"]] == [2, 3, 4, 6]
    some = lay(served, "settle", BOTH | {"answers": {"2": "b", "3": "a", "4": "a"}}).json()
    assert some["open"] == [6] and some["joined"] == [1, 5] and "question" in some["text"]
    every = lay(served, "settle", BOTH | {"answers": {"2": "b", "3": "a", "4": "a", "6": "a"}, "lang": "ja"}).json()
    assert (
        every["open"] == []
        and "従います" in every["text"]
        and len(read_sheet(every["text"], GAMES).lines) == every["lines"]
    )
    assert nothing(served)
    assert take(served, every["text"], match="settled").status_code == 201


def test_a_match_is_laid_beside_a_sheet_by_whoever_may_see_all_of_it(served: Served) -> None:
    assert take(served, KANA).status_code == 201
    body = {"a": {"match": "table-9"}, "b": {"text": JUN}}
    for role in ("scorekeeper", "floor", "head"):
        answer = lay(served, "compare", body, role)  # type: ignore[arg-type]
        assert answer.status_code == 403 and answer.json()["side"] == "a" and "HA" not in answer.text
    headers = served.bearer("head")
    served.client.post("/api/v1/matches/table-9/seal", json={"viewer": "judge"}, headers=headers)
    told = served.client.post(f"{SHEETS}:compare", json=body, headers=headers).json()
    assert told["a"] == "table-9" and len([each for each in told["differences"] if each["asks"]]) > 4


@pytest.mark.parametrize(
    ("change", "status", "side", "said"),
    [
        (lambda body: body | {"b": {}}, 400, "b", "either"),
        (lambda body: body | {"a": {"text": KANA, "match": "x"}}, 400, "a", "either"),
        (lambda body: body | {"b": {"text": "p1: pass"}}, 400, "b", ""),
        (lambda body: body | {"b": {"match": "gone"}}, 404, "b", ""),
        (lambda body: body | {"b": {"text": JUN.replace("8.1-lite", "9.2-lite")}}, 400, "", "for different games"),
        (lambda body: body | {"b": {"text": JUN.replace("Ren: pass", "Ren: psas", 1)}}, 400, "b", "pass"),
        (lambda body: body | {"answers": {"99": "a"}}, 400, "", "99"),
        (lambda body: body | {"answers": {"2": "c"}}, 400, "", ""),
        (lambda body: body | {"answers": {"x": "a"}}, 400, "", ""),
        (lambda body: body | {"b": {"text": "x" * (sheet_forms.SIDE_MAX + 1)}}, 400, "", ""),
    ],
)
def test_what_cannot_be_laid_side_by_side_says_which_and_why(
    served: Served, change: Callable[[Any], Any], status: int, side: str, said: str
) -> None:
    answer = lay(served, "settle", change(BOTH))
    assert answer.status_code == status, answer.text
    assert answer.json().get("side", "") == side and said in answer.json()["en"] and answer.json()["ja"]
