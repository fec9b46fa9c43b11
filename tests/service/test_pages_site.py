"""Rules for the whole site: working links, no game terms in templates, small scripts."""

import re
from gzip import compress
from itertools import product

import pytest

from domain.games import GAMES
from domain.words import LANGS
from service.rendering import STATIC, TEMPLATES
from tests.rotation import rotate
from tests.service.harness import Served
from tests.service.page_parser import Page
from tests.service.test_pages_match import shelve
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(2)

TEMPLATE_FILES = sorted(path for folder in TEMPLATES for path in folder.iterdir())
STATIC_FILES = sorted(path for path in STATIC.iterdir() if path.is_file())
DEPTH = 2
OF_A_MATCH = ("film.js", "live.js", "match.js", "shinpan.js")
OF_A_MATCH_MAX, OTHER_MAX, RECORDER_MAX = 9_984, 3_072, 6_144
"""Byte limits of the compressed scripts. The design allows 9 KB for a match page, a tenth of it for keys on the board.

Local times, the double-click guard and the countdown are on every page and came later (1.1 KB). The recorder has more.
Offline it stores, orders, lists and removes lines without the server, and fills answer fields by button, card orders
included. It also reads lines and answers typed ahead, keeps drafts, and follows the match (1.4 KB).
"""


def crawl(served: Served, start: str, role: str, depth: int = DEPTH) -> set[str]:
    seen, front = {start}, [start]
    for level in range(depth + 1):
        following: list[str] = []
        for path in front:
            answer = served.get(path, role)  # type: ignore[arg-type]
            assert answer.status_code in (200, 302), (path, answer.status_code, answer.text[:300])
            if level == depth or not answer.headers["content-type"].startswith("text/html") or not answer.text:
                continue
            page = Page(answer.text, path)
            for method, action in page.forms:
                assert action.startswith(("/en/", "/ja/")) or not action, (path, method, action)
            for link in page.paths():
                if link not in seen:
                    seen.add(link)
                    following.append(link)
        front = following
    return seen


@pytest.mark.parametrize(("key", "lang"), rotate([*product(sorted(SHELVES), LANGS)], 1))
def test_every_link_leads_somewhere(served: Served, key: str, lang: str) -> None:
    matches = [shelve(served, key, name) for name in rotate(SHELVES[key].matches, 1)]
    reached = crawl(served, f"/{lang}/floor", "head")
    assert {f"/{lang}/m/{match}" for match in matches} <= reached and len(reached) > 20
    assert f"/{lang}/m/{matches[0]}" in crawl(served, f"/{lang}/floor", "spectator", 1)


@pytest.mark.parametrize("key", sorted(SHELVES))
def test_every_moment_of_every_match_can_be_read(served: Served, key: str) -> None:
    for name in rotate(SHELVES[key].matches, 1):
        match = shelve(served, key, name)
        for number in range(1, len(SHELVES[key].entries(name)) + 1):
            path = f"/{LANGS[number % 2]}/m/{match}/{number}"
            answer = served.get(path)
            assert answer.status_code == 200, (path, answer.text[:300])
            Page(answer.text, path)


def test_what_is_drawn_with_knows_no_game_and_no_clause() -> None:
    titles = (title for game in GAMES.values() for title in (game.rulebook.title.en, game.rulebook.title.ja))
    named = re.compile("|".join(map(re.escape, (*GAMES, *titles))), re.IGNORECASE)
    letters = {clause.partition("-")[0] for game in GAMES.values() for clause in game.rulebook.clauses}
    cited = re.compile(rf"\b({'|'.join(letters)})-\d")
    texts = {path.name: path.read_text(encoding="utf-8") for path in (*TEMPLATE_FILES, *STATIC_FILES)}
    assert [name for name, text in texts.items() if named.search(text) or cited.search(text)] == []


TAKEN_HOME = "export.html"
"""The offline page is a single file, so it holds its own style."""


def test_templates_trust_nothing_and_hold_no_script_and_no_words() -> None:
    blocks = r"\{% (?:block (?:body|place_of_sections)|macro (?:target|marked)).*?%\}.*?\{% end(?:block|macro)"
    wrong: list[str] = []
    for path in TEMPLATE_FILES:
        text = path.read_text(encoding="utf-8")
        if path.name == TAKEN_HOME:
            text = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
        trusts = re.search(r"\|\s*safe\b|style=|\son[a-z]+=|<style|javascript:|autoescape", text)
        inline = not all("src=" in script for script in re.findall(r"<script[^>]*>", text))
        bare = re.sub(r"\{[{%#].*?[}%#]\}|<[^>]*>", " ", re.sub(blocks, "{% end", text), flags=re.DOTALL)
        words = re.search(r"[A-Za-zぁ-ん一-龥]{2,}", bare)  # the texts come from the message table
        wrong += [path.name] if trusts or inline or words else []
    assert wrong == []


def test_scripts_are_small_and_have_no_word_and_no_door_of_their_own() -> None:
    scripts = {path.name: path.read_text(encoding="utf-8") for path in STATIC_FILES if path.suffix == ".js"}
    sizes = {name: len(compress(text.encode())) for name, text in scripts.items()}
    assert 0 < sum(sizes.pop(name) for name in OF_A_MATCH) <= OF_A_MATCH_MAX
    assert sizes.pop("record.js") <= RECORDER_MAX
    assert {name: size for name, size in sizes.items() if size > OTHER_MAX} == {}
    doors = r"[ぁ-ヿ一-鿿]|\beval\b|new Function|https?://|document\.write|insertAdjacentHTML|\.style\b"
    assert [name for name, text in scripts.items() if re.search(doors, text)] == []
    made = re.findall(r".*innerHTML *[:=](?!=).*", "\n".join(scripts.values()))
    assert all('createElement("template")' in line for line in made), made
