"""A rulebook is data: numbered clauses with one English and one Japanese sentence each, and the game's own words."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Literal

import msgspec
import tomli
from msgspec import Struct

from domain.law.clause import Clause
from domain.words import Lang as Lang, Message

ClauseKind = Literal["rule", "flow", "physical", "term"]
"""rule: somebody can break it or it makes something happen · flow: turn, chance, what is asked · physical: the named
things are where the action says · term: a definition or an announcement that nothing in play can break."""


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """One clause. `revisions` name the editions in which its sentence changed; `name` is what the law calls it."""

    id: Clause
    kind: ClauseKind
    en: str
    ja: str
    revisions: tuple[str, ...] = ()
    name: str = ""

    @property
    def chapter(self) -> str:
        """The chapter it stands in: its id without the last number."""
        return self.id.rpartition(".")[0]


class OptionRow(Struct, frozen=True, forbid_unknown_fields=True):
    """An option by its row of the dossier. One that the ruleset has no field for has the one value that the law builds
    in; `unoffered` are the others that the dossier names."""

    row: str
    tier: int = 0
    values: tuple[str, ...] = ()
    unoffered: tuple[str, ...] = ()


class Rulebook(Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of a game by id, its chapters' titles, its words by code name, and its options by key."""

    title: Message
    clauses: Mapping[Clause, Entry]
    chapters: Mapping[str, Message]
    words: Mapping[str, Message]
    options: Mapping[str, str | OptionRow] = {}

    def sentence(self, clause: Clause, lang: Lang, numbers: Mapping[str, object]) -> str:
        """The clause's sentence with the numbers in force put in; `numbers` are the ruleset's values by option key.

        An option is put in by the words the game has for `key=value`, a number as it is.
        """
        entry = self.clauses[clause]
        text = entry.ja if lang == "ja" else entry.en
        for key, value in numbers.items():
            if "{" + key + "}" in text:
                text = text.replace("{" + key + "}", self.setting(key, value, lang))
        return text

    def both(self, clause: Clause, numbers: Mapping[str, object]) -> Message:
        """The same in both languages; empty for a clause the rulebook does not have, as a record may name."""
        if clause not in self.clauses:
            return Message("", "")
        return Message(self.sentence(clause, "en", numbers), self.sentence(clause, "ja", numbers))

    def setting(self, key: str, value: object, lang: Lang) -> str:
        """What an option or number stands at, in the game's own words; the value itself if there are none for it."""
        words = f"{key}={value_text(value)}"
        return self.word(words, lang) if words in self.words else value_text(value)

    def both_words(self, code: str) -> Message:
        """A code name in the game's own words, in both languages."""
        return Message(self.word(code, "en"), self.word(code, "ja"))

    def word(self, code: str, lang: Lang) -> str:
        """A code name in the game's own words; the code name itself if the game has no word for it."""
        word = self.words.get(code)
        return code if word is None else word.say(lang)


def value_text(value: object) -> str:
    """A value of a ruleset as `--set` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class _RulebookFile(Struct, frozen=True, forbid_unknown_fields=True):
    title: Message
    chapter: dict[str, Message]
    clause: tuple[Entry, ...]
    word: dict[str, Message]
    option: dict[str, str | OptionRow] = {}


def load_rulebook(package: str) -> Rulebook:
    """Read `rulebook.toml` of a game's folder. Raises ValueError as `parse_rulebook` does, naming the package."""
    return parse_rulebook(files(package).joinpath("rulebook.toml").read_text(encoding="utf-8"), package)


def parse_rulebook(text: str, where: str) -> Rulebook:
    """A rulebook from its TOML. Malformed text, an id or a name that stands twice, a name that is none in Python and a
    clause of a chapter without a title raise ValueError."""
    raw = msgspec.convert(tomli.loads(text), _RulebookFile)
    clauses = {entry.id: entry for entry in raw.clause}
    names = [entry.name for entry in raw.clause if entry.name]
    if len(clauses) != len(raw.clause):
        raise ValueError(f"{where}: a clause id stands twice in rulebook.toml")
    if len(set(names)) != len(names):
        raise ValueError(f"{where}: a clause name stands twice in rulebook.toml")
    for entry in raw.clause:
        if entry.chapter not in raw.chapter:
            raise ValueError(f"{where}: clause {entry.id} in rulebook.toml: no [chapter.{entry.chapter}] is declared")
        if entry.name and not (entry.name.isidentifier() and entry.name.isupper()):
            raise ValueError(f"{where}: clause {entry.id} in rulebook.toml: {entry.name!r} is no name of a constant")
    return Rulebook(title=raw.title, clauses=clauses, chapters=raw.chapter, words=raw.word, options=raw.option)
