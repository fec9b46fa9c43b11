"""What stands in a pack for people: what it is, how to check it, what it proves of this match and what it does not."""

from collections.abc import Iterator, Sequence

from domain.evidence.names import has_hashes
from domain.law import disputes as D, docket
from domain.law.entries import Closed, Entry, Gap, Pledged, Undealt, opened_of
from domain.table.table import Seat
from domain.words import LANGS, Text
from recorder.evidence.packs import About


def write_readme(
    about: About, audience: str, entries: Sequence[Entry], opening: bytes, *, sealed: bool, bound: bool
) -> dict[str, bytes]:
    """Return the pack's own page in every language.

    `opening` are the bytes of the match's first entry, `bound` is True if what the pack shows is proved by it.
    """
    named = {"match": about.match, "entries": about.entries, "dispute": about.dispute}
    texts = [
        Text("dossier.readme", named),
        Text(f"dossier.readme.{audience}", {"seat": about.audience}),
        Text(f"dossier.readme.{'sealed' if sealed else 'unsealed'}"),
        *([] if bound else [Text("dossier.readme.unbound")]),
        *_unproved(entries, opening),
    ]
    return {f"README.{lang}.txt": ("\n\n".join(text.say(lang) for text in texts) + "\n").encode() for lang in LANGS}


def _unproved(entries: Sequence[Entry], opening: bytes) -> Iterator[Text]:
    """What a chain does not show of a match: what nobody saw or wrote down, how was shuffled, who played."""
    opened = opened_of(entries)
    if isinstance(opened, Undealt):
        yield Text("dossier.readme.real")
    if gaps := [number for number, entry in enumerate(entries, start=1) if isinstance(entry, Gap)]:
        yield Text("dossier.readme.gaps", {"entries": _listed(gaps)})
    if isinstance(opened, Pledged):
        yield from _pledged(opened, entries)
    if has_hashes(opening):
        yield Text("dossier.readme.names")


def _pledged(opened: Pledged, entries: Sequence[Entry]) -> Iterator[Text]:
    yield Text("dossier.readme.pledges", {"seats": _listed([*opened.pledges])})
    if awaited := docket.docket_of(entries).unrevealed:
        yield Text("dossier.readme.awaited", {"seats": _listed(awaited)})
    if missing := [entry.seat for entry in entries if isinstance(entry, D.Revealed) and not entry.secret]:
        yield Text("dossier.readme.missing", {"seats": _listed(missing)})
    if not isinstance(entries[-1], Closed):
        yield Text("dossier.readme.unpublished")


def _listed(parts: Sequence[int | Seat]) -> str:
    return ", ".join(map(str, parts))
