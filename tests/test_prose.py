"""The prose check finds what STYLE.md forbids."""

from tests.rows import for_each
from tools import prose

LONG = "The " + " ".join(["word"] * prose.WORDS_MAX) + "."


@for_each(
    "text, found",
    [
        ("What was told so far.", ["begins with 'What'"]),
        ("So many files it asks for.", ["begins with 'So many'", "says 'so many'"]),
        ("Is it told at once?", ["begins with 'Is it'", "asks a question"]),
        ("Return what stands behind the entry.", ["says 'behind'"]),
        ("Return `what nobody` said.", []),
        ("Return the facts collected for this entry and clear them.", []),
        (LONG, [f"a sentence of {prose.WORDS_MAX + 1} words"]),
    ],
)
def test_a_docstring_is_held_to_the_style(text: str, found: list[str]) -> None:
    assert list(prose.text_breaches(text, first=True)) == found


def test_the_first_words_of_other_texts_are_free() -> None:
    assert list(prose.text_breaches("What was told so far.")) == []


def test_every_package_has_a_budget() -> None:
    assert {*prose.config().budget} == {*prose.config().packages, "messages", "docs", "commits"}
