"""The published JSON schemas: every command's `--json` output matches its schema."""

import json
import shutil
from contextlib import chdir
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

from cli.registry import COMMANDS, answers_with
from domain.law.croupier import commit_seat
from domain.table.table import Seat
from tests.cli.runs import CASES, DISPUTED, ROOT, disputed, fine, inside
from tests.damaged import damage
from tools.schemas import page

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

SCHEMA: dict[str, Any] = json.loads(page())
CORPUS = ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus"
KANA, JUN = (ROOT / "fixtures" / "blackpoker" / "paper" / f"{name}.sheet" for name in ("kana", "jun"))
CHANGE = ("--set", "throwing.damage_suit=club")
READING = ("--reading", "throwing.damage_suit=club,spade")
T = "table-17"
RULE = ("rule", T, "55", "--verdict", "not_allowed", "--clause", "BP-6.4", "--penalty", "p1=warning", "--to", "30")
CLOSE = ("close", T, "--abandon", "--reason", "x")
SEALED = (CLOSE, ("keygen", "own.key"), ("seal", "--key", "own.key", "--out", "old.note"))
APPEAL = ("appeal", T, "55", "--by", "p1", "--reason", "x")

CALLS: dict[str, tuple[tuple[str | Path, ...], ...]] = {
    "games": (("games",),),
    "rulebook": (
        ("rulebook", "blackpoker"),
        ("rulebook", "grimoire", "GR-1.1"),
        ("rulebook", "grimoire", "S01"),
        ("rulebook", "grimoire", "--search", "mana"),
        ("rulebook", "blackpoker", "BP-4.7", "--law"),
        ("rulebook", "dea", "--words"),
    ),
    "do": (("do", "new", "p1: designate_attackers"), ("do", "new", "p1: pass")),
    "rewind": (("rewind", T, "--to", "29", "--dry-run"), ("rewind", T, "--to", "29", "--reason", "x")),
    "undo": (("undo", T, "--ask"),),
    "request": (("request", T),),
    "correct": (("correct", T, "- turn u57 up", "--reason", "x"),),
    "note": (("note", T, "said", "--at", "3"),),
    "close": (("close", T, "--abandon"),),
    "describe": (("describe", T, "--event", "Cup"),),
    "dispute": (("dispute", T, "--at", "31", "--claim", "p1=mine"),),
    "rule": (RULE,),
    "appeal": (RULE, APPEAL),
    "decide": (RULE, APPEAL, ("decide", T, "55", "--outcome", "overturned", "--verdict", "no_fault", "--reason", "x")),
    "docket": (("docket",), RULE, ("docket", "--standing", "ruled"), ("docket", "--player", "nobody")),
    "disputes": (("disputes", T, "--as", "judge"), ("disputes", T)),
    "casefile": (("casefile", T, "55", "--for", "players"), ("casefile", T, "55", "--for", "officials")),
    "dossier": (("dossier", T, "--out", "o.zip"), ("dossier", T, "55", "--out", "o.zip", "--players", "p.zip")),
    "contradictions": (("contradictions",), ("contradictions", "--as", "judge")),
    "results": (
        ("describe", T, "--event", "Cup", "--round", "1"),
        ("results", "--event", "Cup", "--round", "1"),
    ),
    "pairings": (("pairings", "blackpoker@8.1-lite", "round.csv", "--event", "Cup", "--round", "1"),),
    "paper take": (("paper", "take", KANA), ("paper", "take", KANA)),
    "paper learn": (("paper", "take", KANA), ("paper", "learn", "table-9", "u72", "D10")),
    "paper gap": (("paper", "gap", T, "--most", "2", "--reason", "x"),),
    "paper compare": (("paper", "compare", KANA, JUN), ("paper", "compare", KANA, KANA)),
    "paper settle": (("paper", "settle", KANA, JUN, "--answer", "2=a"),),
    "penalise": (("penalise", T, "p1=warning:late"),),
    "pause": (("pause", T),),
    "resume": (("pause", T), ("resume", T, "--extend", "60")),
    "unseal": (("unseal", T, "--eyes", "p1"),),
    "reseal": (("unseal", T, "--eyes", "p1"), ("reseal", T, "--eyes", "p1")),
    "matches": (("matches",), ("matches", "--limit", "1")),
    "find": (
        ("find",),
        ("find", CORPUS, "--clause", "BP-2.9", "--limit", "2"),
        ("find", "--did", "throwing", "--as", "judge"),
    ),
    "show": (("show", T, "--as", "p1"), ("show", T, "--at", "30", "--as", "judge")),
    "log": (("log", T, "--as", "judge", "--flow"),),
    "stack": (("stack", T),),
    "legal": (("legal", T, "--at", "29", "--as", "p2"),),
    "backup": (("backup", "copy.sqlite"),),
    "quarantine": (("matches",), ("quarantine", "new")),
    "store copy": (("backup", "first.sqlite"), ("store", "copy", "first.sqlite", "second.sqlite")),
    "audit": (
        ("audit", T, "--as", "judge"),
        ("audit", T, "--as", "judge", "--reading", "throwing.damage_suit=club"),
        ("audit", DISPUTED.parent),
    ),
    "fairness": (("fairness", T),),
    "why": (("why", T, "30", "--as", "judge"),),
    "why-not": (("why-not", T, "p1: pass"),),
    "branch": (("branch", T, "--at", "5"),),
    "diff": (("diff", T, "5", "30", "--as", "judge"),),
    "knows": (("knows", T, "--as", "judge"), ("knows", T, "--diff", "9")),
    "when": (("when", T, "u64", "--at", "10"),),
    "simulate": (
        ("simulate", "grimoire@1", "--matches", "1"),
        ("simulate", "grimoire@1", "--matches", "1", "--out", "o"),
    ),
    "keygen": (("keygen", "own.key"),),
    "seal": (("keygen", "own.key"), ("seal", "--key", "own.key"), ("seal", "--key", "own.key")),
    "proof": (*SEALED, ("proof", T), ("proof", "--since", "old.note")),
    "check": (("check",), ("check", CORPUS), *SEALED, ("check", "old.note"), ("check", "--against", "old.note")),
    "pledge": (("pledge", "m", "p1"), ("pledge", "m", "p1", "--secret", "00" * 16)),
    "reveal": (("reveal", "pledged", "p1", "00" * 16), ("fairness", "pledged"), ("log", "pledged")),
    "invite": (("invite", "seat", "Ann"), ("invite", "floor", "Kato", "Sato", "--by", "desk")),
    "people": (("people",),),
    "forget": (("forget", "Ann", "--dry-run"), ("forget", "Ann")),
    "coverage": (("coverage", "blackpoker"),),
    "compare": (("compare", "blackpoker", CORPUS, *READING),),
    "rejudge": (("rejudge", T, *CHANGE, "--as", "judge"), ("rejudge", T, *CHANGE, "--as", "judge", "--beside")),
    "regress": (("regress", CORPUS, *CHANGE, "--jobs", "1"),),
    "verify": (
        ("verify", "blackpoker@8.1-lite", "--matches", "1"),
        ("verify", "blackpoker@8.1-lite", "--record", DISPUTED),
    ),
    "perft": (("perft", "blackpoker@8.1-lite", "--depth", "1", "--divide"), ("perft", "grimoire@1", "--depth", "1")),
    "shrink": (("shrink", T, *READING, "--out", "shrunk"), ("shrink", T, "--out", "shrunk", "--set", "hand.limit=54")),
    "case run": (("case", "run", CASES),),
    "corpus info": (("corpus", "info", CORPUS), ("corpus", "info", CORPUS, "--check")),
    "corpus sample": (("corpus", "sample", CORPUS, "--matches", "2"),),
}
"""Calls of every command that prints a value, in each shape of its answer."""


def test_the_published_schema_is_what_the_commands_answer_with() -> None:
    published = (ROOT / "docs" / "json-schema.json").read_bytes()
    assert published == page(), "docs/json-schema.json is old: python -m tools.schemas > docs/json-schema.json"
    meta.validate(SCHEMA)


def test_every_command_that_takes_json_is_called() -> None:
    answering = {
        key.replace(".", " ") for key, where in COMMANDS.items() if answers_with(resolve_name(where)) is not None
    }
    assert set(CALLS) == set(SCHEMA["properties"]) == answering


@pytest.fixture(scope="module")
def template_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = disputed(tmp_path_factory.mktemp("begun"))
    fine(store, "dispute", T, "--at", "47", "--claim", "p2=spades count")
    fine(store, "new", "blackpoker@8.1-lite", "--match", "new", "--seed", "9", "--p1", "Ann")
    pledged = f"p1={commit_seat('pledged', Seat('p1'), bytes(16))}"
    fine(store, "new", "blackpoker@8.1-lite", "--match", "pledged", "--pledge", pledged)
    return store


@pytest.mark.parametrize("command", CALLS)
def test_what_a_command_prints_fits_its_schema(template_store: Path, tmp_path: Path, command: str) -> None:
    store = shutil.copy(template_store, tmp_path)
    (tmp_path / "round.csv").write_text("table,p1,p2\n1,Ann,Bo\n", encoding="utf-8")
    if command == "quarantine":
        damage(str(store), "new", "no first entry")
    with chdir(tmp_path):
        for call in CALLS[command]:
            ran = inside(store, *call, "--json")
            assert ran.code in (0, 1), ran
            named = next(name for name in CALLS if call[: len(name.split())] == tuple(name.split()))
            Draft202012Validator(SCHEMA).validate({named: ran.data})


def test_a_value_of_another_shape_does_not_fit() -> None:
    shown = inside_show()
    for wrong in ({**shown, "board": None}, {key: value for key, value in shown.items() if key != "hands"}):
        assert not Draft202012Validator(SCHEMA).is_valid({"show": wrong})


def inside_show() -> dict[str, Any]:
    return {"match": "m", "board": {}, "hands": [], "occasion": {}, "announced": ""}
