"""Japanese style: glossary terms without synonyms, polite full sentences, full-width punctuation.

A failure names the text, the rejected word and the correct term.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from domain.games import GAMES
from domain.words import load_messages

ROOT = Path(__file__).parents[1]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PAGES = ("README.ja.md", "docs/howto.ja.md")
LETTER = "ぁ-ヿ一-鿿々"
JAPANESE = re.compile(f"[{LETTER}]")
POLITE = re.compile(r"(?:です|ます|ません|ました|でした|ください|ましょう|(?:です|ます|ません)か)$")
LABEL = re.compile(r"[^。]*(?:[一-鿿ァ-ヿA-Za-z0-9)）}]|違い)$")
"""A short label before an explanation ends in a noun or a value: `カード。` or `{what}。`."""
TYPED = re.compile(r"`[^`]*`|「[^「」]*」")
"""Quoted or typed text keeps its punctuation."""
NOTATION = ("example.", "help.value.action", "play.action", "export.redacted")


def tables() -> Iterator[list[list[str]]]:
    for block in re.findall(r"(?m)(?:^\|.*\n)+", GLOSSARY + "\n"):
        rows = [[cell.strip() for cell in line[1:].rstrip("|").split("|")] for line in block.splitlines()]
        yield [rows[0], *rows[2:]]


def rejected() -> list[tuple[str, list[str], list[str]]]:
    """Return term, rejected words, and phrases of game rules in which they are allowed."""
    (table,) = (rows for rows in tables() if rows[0][0] == "term")
    return [(term, words.split("・"), kept.split("・") if kept else []) for term, words, kept in table[1:]]


def faults(text: str, own: bool = False) -> list[str]:
    """Return each rejected word with its term; `own` is for game rules, which keep their words."""
    found = []
    for term, words, kept in rejected():
        left = text
        for phrase in kept:
            left = left.replace(phrase, "") if own or phrase not in words else left
        found += [f"{word} → {term}" for word in words if word in left]
    return found


def style(text: str) -> list[str]:
    """Return half-width punctuation among Japanese letters, and impolite sentences."""
    bare = re.sub(r"\{\w*\}", "", TYPED.sub("", text))
    found = [f"half-width {mark}" for mark in re.findall(f"[{LETTER}]([:;,!?])|([:;,])[{LETTER}]", bare) if any(mark)]
    found += [f"half-width ({held})" for held in re.findall(r"\(([^()]*)\)", bare) if JAPANESE.search(held)]
    return found


def plain(text: str) -> list[str]:
    """Return sentences without a polite ending, except labels before an explanation."""
    sentences = re.sub(r"（[^（）]*）", "", TYPED.sub("語", text)).split("。")
    return [one for one in sentences[:-1] if one.strip() and not POLITE.search(one) and not LABEL.search(one)]


def rulebook_texts() -> Iterator[tuple[str, str]]:
    for game in GAMES.values():
        book = game.rulebook
        yield from ((f"{game.key} {clause}", entry.ja) for clause, entry in book.clauses.items())
        yield from ((f"{game.key} {chapter}", name.ja) for chapter, name in book.chapters.items())
        yield from ((f"{game.key} {code}", word.ja) for code, word in book.words.items())


def case_names() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "fixtures").rglob("*.cases.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            yield from (
                (f"{path.name} {case['id']}", said["ja"]) for said in (case, *case.get("step", ())) if "ja" in said
            )


def page_lines() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        text = re.sub(r"(?ms)^```.*?^```$|^    .*?$", "", (ROOT / page).read_text(encoding="utf-8"))
        yield from ((f"{page}: {line[:20]}", line) for line in text.splitlines())


def messages() -> Iterator[tuple[str, str]]:
    yield from ((key, message.ja) for key, message in load_messages().items())


def glossary_terms() -> Iterator[tuple[str, str]]:
    for rows in tables():
        at = rows[0].index("Japanese") if "Japanese" in rows[0] else None
        yield from ((f"glossary {row[0]}", row[at]) for row in rows[1:] if at is not None)


def wrong(texts: Iterator[tuple[str, str]], judge: Callable[[str], list[str]]) -> list[str]:
    return [f"{key}: {fault}" for key, text in texts for fault in judge(text)]


def test_the_measure_knows_what_it_is_for() -> None:
    assert faults("ストアの札") == ["ストア → 保存先", "札 → カード"]
    assert faults("手札") == [] == faults("選択肢", own=True) and faults("選択肢")
    assert style("記録:なし(三件)") and not style("記録：なし（三件）`p1:記録`")
    assert plain("記録する。") and not plain("記録します。理由。")
    assert len(rejected()) > 25


def test_no_text_of_the_program_uses_another_word() -> None:
    assert wrong(messages(), faults) == []


def test_no_rulebook_uses_another_word() -> None:
    assert wrong(rulebook_texts(), lambda text: faults(text, own=True)) == []


def test_no_case_uses_another_word() -> None:
    assert len(list(case_names())) > 500
    assert wrong(case_names(), lambda text: faults(text, own=True)) + wrong(case_names(), style) == []


def test_no_page_uses_another_word() -> None:
    assert wrong(page_lines(), faults) == []


def test_the_glossary_uses_its_own_terms() -> None:
    assert wrong(glossary_terms(), lambda text: faults(text, own=True)) == []


def test_marks_are_full_width() -> None:
    programs = ((key, text) for key, text in messages() if not key.startswith(NOTATION))
    assert wrong(programs, style) + wrong(rulebook_texts(), style) + wrong(page_lines(), style) == []


def test_whole_sentences_are_polite() -> None:
    assert wrong(messages(), plain) + wrong(page_lines(), plain) == []
