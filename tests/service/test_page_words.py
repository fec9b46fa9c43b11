"""Errors on pages: they name form fields, not options of the command line."""

import re
from pathlib import Path
from typing import Final

import pytest

from domain.words import LANGS, Text, load_messages, say
from service.problems import problem
from tests.service.commands import uuid
from tests.service.harness import Served
from tests.service.test_pages_recording import MATCH, post

ROOT: Final = Path(__file__).parents[2]
OPTION: Final = re.compile(r"(?<![\w-])--[a-z]|`shinpan")
IN_REACH: Final = ("domain", "projections", "recorder", "service")
NEVER_ON_PAGES: Final = frozenset((
    "backup.exists", "quarantine.exists", "store.unfinished",  # for commands on files
    "pledge.unreadable", "docket.no_secret",  # the value comes from that command
))  # fmt: skip


def test_every_refusal_that_names_an_option_has_words_for_pages() -> None:
    texts = load_messages()
    named = {key for key, text in texts.items() if OPTION.search(text.en) or OPTION.search(text.ja)}
    used = {
        key
        for package in IN_REACH
        for path in (ROOT / package).rglob("*.py")
        if "evidence" not in path.parts  # its messages are about files
        for key in re.findall(r'"([a-z_.-]+)"', path.read_text(encoding="utf-8"))
    }
    for key in (named & used) - NEVER_ON_PAGES:
        fields = dict.fromkeys(re.findall(r"{(\w+)}", texts[key].en), "x")
        told = problem("unreadable", Text(key, fields))
        assert told.command_line is not None and not OPTION.search(told.en + told.ja), key


def test_a_problem_is_in_the_words_of_pages() -> None:
    told = problem("unreadable", Text("policy.departs", {"why": "too far"}))
    assert told.says("en").startswith("too far; ") and say("disputes.departure", "en") in told.says("en")
    assert "--departure" in told.says_to_commands("en") and "--" not in told.says("ja")


@pytest.mark.parametrize("lang", LANGS)
def test_closing_is_asked_and_refused_first_on_the_page(served: Served, lang: str) -> None:
    served.open("blackpoker", match=MATCH)
    fields = {"id": uuid(1), "head": "3", "reason": "time"}
    for more in ({}, {"abandon": "true"}):
        text = post(served, f"/{lang}/record/{MATCH}/close", fields | more).text
        main = text.split('<main id="main"')[1]
        first = main.split("</section>")[0]
        assert 'id="closing"' in first and "autofocus" in first and 'value="time"' in first, more
        assert main.count("autofocus") == 1 and main.count('id="close"') == 1, "the question has the focus"
        assert "--" not in re.sub(r"<!--|-->", "", first) and MATCH not in re.sub(r"<[^>]*>", "", first)
        assert say("record.abandon", "ja" if lang == "ja" else "en") in first
