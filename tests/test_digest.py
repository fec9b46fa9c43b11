"""The digest of each game: reproducible, and different if the rules decide differently."""

import msgspec
import pytest

from domain.games import GAMES
from tests.digest import digest


@pytest.mark.random
def test_the_digest_tells_one_law_from_another() -> None:
    game = GAMES["blackpoker"]
    said = digest(game, 1)
    assert digest(game, 1) == said
    (name, rules), *others = game.versions.items()
    other = {name: msgspec.structs.replace(rules, hand_limit=rules.hand_limit + 1), **dict(others)}
    assert digest(msgspec.structs.replace(game, versions=other), 1) != said
