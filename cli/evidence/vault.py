"""The vault of a store: matches that go on lie encrypted on disk."""

from typing import Annotated

from msgspec import Struct

from cli.answer import Answer
from cli.context import Desk
from cli.problems import FINDINGS, FINE
from recorder.encrypting import give_vault, look_at_vault


class Vaulted(Struct, frozen=True, omit_defaults=True):
    """How things stand with the vault of a store: where it lies (nothing: there is none), for how many matches it has
    keys, how many matches are encrypted now; why it cannot be used."""

    vault: str = ""
    keys: int = 0
    encrypted: int = 0
    trouble: str = ""


def vault(desk: Desk, on: Annotated[bool, "--on"] = False) -> Answer[Vaulted]:
    """Have new matches lie encrypted on disk until they are closed; or say how things stand with it."""
    desk.require_store()
    with desk.store(writing=on) as store:
        if on:
            give_vault(store)
        stands = look_at_vault(store)
    trouble = "" if stands.trouble is None else stands.trouble.say(desk.lang)
    value = Vaulted(stands.vault, stands.keys, stands.encrypted, trouble)

    def draw() -> None:
        if not value.vault:
            desk.tell("vault.off", store=desk.where)
        elif trouble:
            desk.tell("vault.trouble", "bad", n=value.encrypted, why=trouble)
        else:
            desk.tell("vault.stands", vault=value.vault, keys=value.keys, n=value.encrypted)
            desk.hint("vault.keep", vault=value.vault)

    return Answer(lambda: value, draw, FINDINGS if trouble else FINE)
