"""Printed cards of any game, and files of them."""

from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Struct

from domain.words import Lang


class Card(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A printed card: its id, its name in both languages, and the fields that a game adds."""

    id: Annotated[str, Meta(pattern=r"^[A-Z][0-9A-Za-z]{1,15}$")]
    en: Annotated[str, Meta(min_length=1)]
    ja: Annotated[str, Meta(min_length=1)]

    def name_in(self, lang: Lang) -> str:
        return self.ja if lang == "ja" else self.en

    @property
    def abilities(self) -> tuple[object, ...]:
        return ()


C = TypeVar("C", bound=Card)


class CardFile(Struct, Generic[C], frozen=True, forbid_unknown_fields=True):
    cards: Annotated[tuple[C, ...], Meta(min_length=1)]
