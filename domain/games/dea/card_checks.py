"""What is wrong with a card file whose form is right: what the types of the text cannot say."""

from collections.abc import Iterator, Mapping

from domain.games.dea import text as T
from domain.parts.cardfile import Misfit, unprintable


def misfits(card: T.Card, named: Mapping[str, T.Card]) -> Iterator[Misfit]:
    """What is wrong with a card whose form is right, and which may name those cards."""
    for place, said in enumerate(card.abilities):
        for field, words in (("en", said.en), ("ja", said.ja)):
            yield from unprintable(**{f"abilities[{place}].{field}": words or ""})
