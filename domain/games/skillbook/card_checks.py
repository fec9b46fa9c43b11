"""What is wrong with a card file whose form is right: what the types of the text cannot say."""

from collections.abc import Iterator, Mapping

from domain.games.skillbook import text as T
from domain.parts.cardfile import Misfit
from domain.words import Text, Texts


def misfits(card: T.Card, named: Mapping[str, T.Card]) -> Iterator[Misfit]:
    """What is wrong with a card whose form is right, and which may name those cards."""
    tokens = tuple(sorted(face for face, other in named.items() if other.type == "token"))
    for place, said in enumerate(card.abilities):
        for line, instruction in enumerate(() if isinstance(said, T.Continuous) else said.do):
            if isinstance(instruction, T.MakeToken) and instruction.token not in tokens:
                why = Text("card.why.no_token", {"name": repr(instruction.token)})
                yield f"abilities[{place}].do[{line}].token", why, Texts(tokens)
