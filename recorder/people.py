"""People at an event: invited by name and role, on a store whose service runs or not."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.words import Text
from domain.words.lines import one_line, steers
from recorder.keyring import Holder, Issued, Keyring, number_of
from recorder.person_names import person_name
from recorder.seating import record_invited
from recorder.store import Store

NAME_MAX: Final = 200
"""Letters of a name: it stands in every entry that its holder records."""

TAKEN: Final = ("people.in_already", "people.invited_already", "people.alike")
"""Refusals because of somebody who is in or invited."""


class Invitation(Struct, frozen=True):
    """An invitation: the token, said once, until when it is good, and the number by which it is taken back.

    `noted`: the matches in which it is an entry.
    """

    token: str
    ends: int
    number: str
    noted: tuple[str, ...] = ()


def invite(store: Store, keys: Keyring, holder: Holder, at: int, ends: int) -> Invitation | Text:
    """Invite somebody; record in each open match where this gives them a seat that it does. A Text says why not.

    Raises StoreError.
    """
    holder = replace(holder, name=person_name(holder.name))
    name = holder.name
    if steers(name) or len(name) > NAME_MAX:
        return Text("people.bad_name", {"name": one_line(name[:NAME_MAX]), "most": NAME_MAX})
    if holder.for_event and not name:
        return Text("people.no_name")
    if (known := keys.player_alike(holder, at)) is not None:
        return _describe_name_conflict(holder, known)
    noted = record_invited(store, keys, holder, holder.by, at)
    token = keys.invite(holder, ends, at)
    if isinstance(token, Issued):
        return _describe_name_conflict(holder, token)
    return Invitation(token, ends, number_of(token), noted)


def link_of(public: str, token: str) -> str:
    """Return the link of an invitation. A browser sends nothing of what stands after the #, so no preview spends it."""
    return f"{public}/in#{token}"


def _describe_name_conflict(holder: Holder, known: Issued) -> Text:
    key = "people.invited_already" if known.invitation else "people.in_already"
    if known.holder.name != holder.name:
        key = "people.alike"
    return Text(key, {"name": holder.name, "known": known.holder.name})
