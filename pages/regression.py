"""A report of a rule change over recorded matches as a page."""

from domain.words import Lang
from pages.drawing import draw
from projections.verdicts.rendering import card_words, cause_words, kind_words
from regress.counting import NOTHING, Report
from regress.formats import line
from regress.summary import KINDS

LISTED = 500
"""How many rows a table has at most; a browser should not choke on a large corpus."""


def to_html(report: Report, lang: Lang) -> bytes:
    """The page; `lang` is the language that it opens in."""
    words = {"line": line, "card_words": card_words, "cause_words": cause_words, "kind_words": kind_words}
    return draw("regression.html", lang, report=report, kinds=KINDS, listed=LISTED, nothing=NOTHING, **words)
