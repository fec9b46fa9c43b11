"""Card files laid over the published pools: errata of the sample cards."""

import re
from importlib.resources import files

import pytest

from domain.games.grimoire.cards import POOLS, load_cards


def erratum(face: str, **instead: str) -> str:
    fields = {"id": f'"{face}"', "en": '"Ember Dart"', "ja": '"火粉の矢"', "type": '"spell"', "user": '"Kaida"'}
    fields |= {"power": "2", "toughness": "1", "cost": "1", "chroma": "{ R = 1 }"} | instead
    return "\n".join(("[[cards]]", *(f"{key} = {value}" for key, value in fields.items()))) + "\n"


DEARER = erratum("S01", cost="3")
RENAMED = erratum("S01", en='"Cinder Bolt"', ja='"燃え殻の矢"')
WITHOUT = re.sub(
    r"(?m)^keywords.*\n", "",
    re.sub(
        r"(?ms)^abilities = \[.*?^\]\n", "",
        files("domain.games.grimoire").joinpath("pools/1.toml").read_text(encoding="utf-8"),
    ),
)  # fmt: skip


def lay_over_every_pool(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    for pool in POOLS.cards_by_pool.values():
        for face, words in load_cards(text, "made-up.toml").items():
            monkeypatch.setitem(pool, face, words)  # type: ignore[arg-type]
