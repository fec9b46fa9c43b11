"""Rulebooks as data: numbered clauses in English and Japanese, and the words of a game."""

from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from typing import Literal

import msgspec
import tomli
from msgspec import Struct

from domain.law.clause import Clause
from domain.words import Lang as Lang, Message

ClauseKind = Literal["rule", "flow", "physical", "term"]
"""rule: it can be broken or makes something happen; flow: turn, chance and questions; physical: the named things are in
their places; term: a definition or announcement that no play can break."""


class RulebookClause(Struct, frozen=True, forbid_unknown_fields=True):
    """A clause. `revisions` names the editions that changed its sentence; `name` is its constant in the law."""

    id: Clause
    kind: ClauseKind
    en: str
    ja: str
    revisions: tuple[str, ...] = ()
    name: str = ""

    @property
    def chapter(self) -> str:
        """The chapter: the id without its last number."""
        return self.id.rpartition(".")[0]


class OptionRow(Struct, frozen=True, forbid_unknown_fields=True):
    """An option and its row in the dossier. Without a field in the ruleset, it has the one value that the law builds
    in. `unoffered` lists the other values in the dossier."""

    row: str
    tier: int = 0
    values: tuple[str, ...] = ()
    unoffered: tuple[str, ...] = ()


class Rulebook(Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of a game by id, titles of chapters, words by code name, and options by key."""

    title: Message
    clauses: Mapping[Clause, RulebookClause]
    chapters: Mapping[str, Message]
    words: Mapping[str, Message]
    options: Mapping[str, str | OptionRow] = {}

    def sentence(self, clause: Clause, lang: Lang, numbers: Mapping[str, object]) -> str:
        """Return the sentence of a clause with numbers and options filled in; `numbers` are the ruleset's values by
        key. An option is rendered by the game's word for `key=value`, a number as it is."""
        entry = self.clauses[clause]
        text = entry.ja if lang == "ja" else entry.en
        for key, value in numbers.items():
            if "{" + key + "}" in text:
                text = text.replace("{" + key + "}", self.setting(key, value, lang))
        return text

    def both(self, clause: Clause, numbers: Mapping[str, object]) -> Message:
        """Return the sentence in both languages; empty for an unknown clause, which a record may name."""
        if clause not in self.clauses:
            return Message("", "")
        return Message(self.sentence(clause, "en", numbers), self.sentence(clause, "ja", numbers))

    def setting(self, key: str, value: object, lang: Lang) -> str:
        """Return the game's word for an option's value; the value itself if there is none."""
        code = f"{key}={value_text(value)}"
        return self.word(code, lang) if code in self.words else value_text(value)

    def both_words(self, code: str) -> Message:
        return Message(self.word(code, "en"), self.word(code, "ja"))

    def word(self, code: str, lang: Lang) -> str:
        """Return the game's word for a code name; the code name itself if there is none."""
        word = self.words.get(code)
        return code if word is None else word.say(lang)


def value_text(value: object) -> str:
    """Return a value of a ruleset in the form that `--set` takes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class _RulebookFile(Struct, frozen=True, forbid_unknown_fields=True):
    title: Message
    chapter: dict[str, Message]
    clause: tuple[RulebookClause, ...]
    word: dict[str, Message]
    option: dict[str, str | OptionRow] = {}


def load_rulebook(package: str) -> Rulebook:
    """Read the `rulebook.toml` of a package. Raises ValueError as `parse_rulebook` does."""
    return parse_rulebook(files(package).joinpath("rulebook.toml").read_text(encoding="utf-8"), package)


def parse_rulebook(text: str, where: str) -> Rulebook:
    """Return the rulebook in a TOML text. Raises ValueError for malformed text, a repeated id or name, an invalid name,
    and a clause without a chapter."""
    raw = msgspec.convert(tomli.loads(text), _RulebookFile)
    clauses = {entry.id: entry for entry in raw.clause}
    ids: list[str] = [entry.id for entry in raw.clause]
    names = [entry.name for entry in raw.clause if entry.name]
    for what, words in (("id", ids), ("name", names)):
        twice = next((word for word, times in Counter(words).items() if times > 1), None)
        if twice is not None:
            raise ValueError(f"{where}: clause {what} {twice} appears twice in rulebook.toml")
    for entry in raw.clause:
        if entry.chapter not in raw.chapter:
            raise ValueError(f"{where}: clause {entry.id} in rulebook.toml: no [chapter.{entry.chapter}] is declared")
        if entry.name and not (entry.name.isidentifier() and entry.name.isupper()):
            raise ValueError(
                f"{where}: clause {entry.id} in rulebook.toml: name {entry.name!r} must be in capitals, LIKE_THIS"
            )
    return Rulebook(title=raw.title, clauses=clauses, chapters=raw.chapter, words=raw.word, options=raw.option)
