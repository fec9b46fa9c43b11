"""Addresses among what a command was given; loaded when there are any, for it knows corpora and most commands none."""

from collections.abc import Iterable
from typing import Final

from cli.problems import Problem
from cli.project import SERVICE
from corpus.addresses import is_address, name_of
from corpus.troubles import AddressError
from domain.words import Lang, say
from domain.words.foreign import quoted

SLASHES: Final = 2
"""How many there are in the address of a service: no path stands behind its host."""


def refuse_addresses(lang: Lang, texts: Iterable[str], corpora: bool) -> None:
    """Raises Problem for an address where a path or a match is meant; for a service's also where a corpus may stand."""
    for text in filter(is_address, texts):
        try:
            name = name_of(text)
        except AddressError as error:
            raise Problem(error.text.say(lang)) from None
        if SERVICE.match(name) and (name.count("/") <= SLASHES or name.endswith("/")):
            raise Problem(say("client.no_file", lang, url=quoted(name)))
        if not corpora:
            raise Problem(say("corpus.url.no_file", lang, file=quoted(name)))
