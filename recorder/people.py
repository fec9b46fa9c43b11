"""Invite people to an event, by name and role, whether the store's service runs or not."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.words import Text
from domain.words.lines import has_control_character, one_line
from recorder.keyring import Holder, Issued, Keyring, number_of
from recorder.person_names import person_name
from recorder.seating import record_invited
from recorder.store import Store

NAME_MAX: Final = 200
"""Characters of a name, which is part of every entry that its holder records."""

TAKEN: Final = ("people.in_already", "people.invited_already", "people.alike")
"""Refusals because the person, or one with a similar name, is signed in or invited."""


class Invitation(Struct, frozen=True):
    """An invitation: its token, expiry, and the number that revokes it. The token is shown once. `noted` lists the
    matches that record it."""

    token: str
    ends: int
    number: str
    noted: tuple[str, ...] = ()


def invite(store: Store, keys: Keyring, holder: Holder, at: int, ends: int) -> Invitation | Text:
    """Invite a person, recording it in each open match where they get a seat. A Text explains a refusal. Raises
    StoreError."""
    holder = replace(holder, name=person_name(holder.name))
    name = holder.name
    if has_control_character(name) or len(name) > NAME_MAX:
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
    """Return the link of an invitation. Browsers do not send the fragment, so a link preview cannot use it up."""
    return f"{public}/in#{token}"


def _describe_name_conflict(holder: Holder, known: Issued) -> Text:
    key = "people.invited_already" if known.invitation else "people.in_already"
    if known.holder.name != holder.name:
        key = "people.alike"
    return Text(key, {"name": holder.name, "known": known.holder.name})
