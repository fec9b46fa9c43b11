"""The pages as a whole: every link leads somewhere, nothing of a game stands in a template, and scripts stay small."""

import re
from gzip import compress
from pathlib import Path

import pytest

from domain.games import GAMES
from domain.words import LANGS
from service.drawing import STATIC, TEMPLATES
from tests.recorded import SHELVES
from tests.service.reading import Page
from tests.service.serving import Served, serve
from tests.service.test_pages_match import shelve

TEMPLATE_FILES = sorted(path for path in TEMPLATES.rglob("*") if path.is_file())
STATIC_FILES = sorted(path for path in STATIC.iterdir() if path.is_file())
DEPTH = 2
SCRIPTS_GZIP, RECORDER_GZIP = 9_216, 3_072
"""So many bytes all our own scripts that a page loads have at most, packed; the recorder's own."""
RECORDER = "record.js"
"""No page loads it with the player."""


def crawl(served: Served, start: str, role: str, depth: int = DEPTH) -> set[str]:
    """All that is reached from a page by links, each once."""
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


@pytest.mark.parametrize("lang", LANGS)
def test_every_link_leads_somewhere(lang: str) -> None:
    with serve() as served:
        match = shelve(served, "grimoire", "stack-fight")
        assert f"/{lang}/m/{match}" in crawl(served, f"/{lang}/floor", "spectator", 1)
        assert len(crawl(served, f"/{lang}/m/{match}/30", "head", 1)) > 20


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("key", sorted(SHELVES))
def test_every_link_of_every_match_leads_somewhere(key: str, lang: str) -> None:
    with serve() as served:
        for name in SHELVES[key].matches:
            shelve(served, key, name)
        reached = crawl(served, f"/{lang}/floor", "head")
        assert all(f"/{lang}/m/{key}-{name}" in reached for name in SHELVES[key].matches)


@pytest.mark.parametrize("key", sorted(SHELVES))
def test_every_moment_of_every_match_can_be_read(key: str) -> None:
    with serve() as served:
        for name in SHELVES[key].matches:
            match = shelve(served, key, name)
            for number in range(1, len(SHELVES[key].entries(name)) + 1):
                path = f"/{LANGS[number % 2]}/m/{match}/{number}"
                answer = served.get(path)
                assert answer.status_code == 200, (path, answer.text[:300])
                Page(answer.text, path)


@pytest.mark.parametrize("path", [*TEMPLATE_FILES, *STATIC_FILES], ids=lambda path: path.name)
def test_what_is_drawn_with_knows_no_game_and_no_clause(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    titles = (title for game in GAMES.values() for title in (game.rulebook.title.en, game.rulebook.title.ja))
    named = re.compile("|".join(map(re.escape, (*GAMES, *titles))), re.IGNORECASE)
    letters = {clause.partition("-")[0] for game in GAMES.values() for clause in game.rulebook.clauses}
    cited = re.compile(rf"\b({'|'.join(letters)})-\d")
    assert not named.search(text) and not cited.search(text)


@pytest.mark.parametrize("path", TEMPLATE_FILES, ids=lambda path: path.name)
def test_templates_trust_nothing_and_hold_no_script_and_no_words(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe\b|style=|\son[a-z]+=|<style|javascript:|autoescape", text)
    assert all("src=" in script for script in re.findall(r"<script[^>]*>", text))
    text = re.sub(
        r"\{% (?:block (?:body|place_of_sections)|macro (?:target|marked)).*?%\}.*?\{% end(?:block|macro)",
        "{% end",
        text,
    )
    words = re.sub(r"\{[{%#].*?[}%#]\}|<[^>]*>", " ", text, flags=re.DOTALL)
    assert not re.search(r"[A-Za-zぁ-ん一-龥]{2,}", words), "words come from the table of messages"


def test_our_scripts_stay_small() -> None:
    scripts = {path.name: path.read_bytes() for path in STATIC_FILES if path.suffix == ".js"}
    assert 0 < len(compress(scripts.pop(RECORDER))) <= RECORDER_GZIP
    assert 0 < len(compress(b"".join(scripts.values()))) <= SCRIPTS_GZIP
