"""Assign seats by sign-in: an event player holds the seats under their name. Every access to a hand is recorded as a
note of kind `seat`: an invitation to a seat of an open match, or a sign-in that holds a seat there."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.law.entries import Noted
from domain.table.table import Seat
from domain.words import Text
from recorder.answers import RecordResult
from recorder.codec import MATCH_ID
from recorder.keyring import Holder, Keyring
from recorder.match_list import DamagedMatch, Head, MatchListItem, damage_in
from recorder.match_loader import load_match
from recorder.matches import note
from recorder.person_names import person_name
from recorder.remarks import write_remark
from recorder.store import Conflict, Store, StoreError

TRIES: Final = 100


def seat_named(opening: Head | MatchListItem | DamagedMatch | None, name: str) -> Seat:
    """Return the seat of the only player of this name, or '' if there is none or the match is a branch. A branch
    reveals cards of its parent."""
    if opening is None or isinstance(opening, DamagedMatch):
        return Seat("")
    seats = [seat for seat, called in opening.names.items() if person_name(called) == name]
    return seats[0] if name and len(seats) == 1 and not opening.parent else Seat("")


def find_seat(store: Store, match: str, name: str) -> Seat:
    """Return the seat of a player, or '' if there is none or the opening is unreadable. Raises StoreError."""
    try:
        opening = store.head(match) if MATCH_ID.fullmatch(match) else None
    except StoreError as error:
        if error.trouble != "corrupt":
            raise
        return Seat("")
    return seat_named(opening, name)


def require_seat_readable(store: Store, match: str, name: str) -> None:
    """Raise StoreError if only damage keeps a player from their seat. A damaged opening does not tell the seat."""
    opening = store.head(match) if MATCH_ID.fullmatch(match) else None
    if isinstance(opening, DamagedMatch) or seat_named(opening, name):
        load_match(store, match)


def list_seats(store: Store, name: str) -> Iterator[tuple[MatchListItem, Seat]]:
    """Yield the matches where a player of this name has a seat, newest last. Raises StoreError."""
    for listed in store.matches():
        if isinstance(listed, MatchListItem) and (seat := seat_named(listed, name)):
            yield listed, seat


def describe_seat_holder(seat: Seat, holder: Holder) -> Text:
    """Return the text that records whose sign-in opens a seat. It has no player's name, which may be erased."""
    return Text("remark.seat_event", {"seat": seat, "by": holder.by})


def record_invited(store: Store, keys: Keyring, invited: Holder, by: str, at: int) -> tuple[str, ...]:
    """Record an invitation in each open match where it gives a seat, and return those matches. Raises StoreError."""
    if invited.for_event:
        seats = [(listed.match, seat) for listed, seat in list_seats(store, invited.name) if not listed.closed]
        texts = [(match, describe_seat_holder(seat, invited)) for match, seat in seats]
    else:
        texts = []
        for match in invited.matches if invited.seat else ():
            key = "remark.seat_held" if keys.holders(match, invited.seat, at) else "remark.seat"
            texts.append((match, Text(key, {"seat": invited.seat, "name": invited.name})))
    return tuple(match for match, words in texts if _record_invitation(store, match, by, words, at, invited.for_event))


def _record_invitation(store: Store, match: str, by: str, words: Text, at: int, for_event: bool) -> bool:
    """Record an invitation in a match; False if nothing was recorded. For an event sign-in a damaged match is skipped:
    it shows no hand without the note."""
    try:
        return _record_note(store, match, by, words, at)
    except StoreError as error:
        if not for_event:
            raise
        damage_in(match, error)
        return False


def record_seat_holders(store: Store, keys: Keyring, match: str, seats: Iterable[Seat], by: str, at: int) -> bool:
    """Record whose sign-ins open the seats of a new match, and which seats have several holders. True if anything was
    recorded. Raises StoreError."""
    texts: list[Text] = []
    opening = store.head(match)
    for seat in seats:
        name = person_name(opening.names.get(seat, "")) if isinstance(opening, Head) else ""
        players = keys.players(name, at) if seat_named(opening, name) == seat else ()
        texts += [describe_seat_holder(seat, holder) for holder in players]
        if (count := len(keys.holders(match, seat, at)) + len(players)) > 1:
            texts.append(Text("remark.seats", {"seat": seat, "n": count}))
    recorded = [_record_note(store, match, by, words, at) for words in texts]
    return any(recorded)


def ensure_recorded(store: Store, match: str, seat: Seat, holder: Holder, at: int) -> bool:
    """Record that this sign-in opens a seat, unless the match has the note or is closed. True if recorded now.
    A program without keys may have opened the match. Raises StoreError."""
    words = describe_seat_holder(seat, holder)
    text = write_remark("seat", words)
    if any(isinstance(entry, Noted) and entry.text == text for entry in store.read(match)):
        return False
    return _record_note(store, match, holder.by, words, at)


def _record_note(store: Store, match: str, by: str, says: Text, at: int) -> bool:
    """Record a note in a match; False if it is not open."""
    for _ in range(TRIES):
        done = note(store, match, by, write_remark("seat", says), at=at)
        if not isinstance(done, Conflict):
            return isinstance(done, RecordResult)
    raise StoreError("locked", Text("store.locked", {"store": store.name}))
