"""Menu of a prompt: a key for each verb, a few whole actions, a pass for all, and the permanent keys."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from cli.play.actions import single
from cli.play.dialogue import ELSE, HELP, REDO, UNDO
from cli.play.keys import ENTER
from cli.play.labels import ending_verbs
from cli.play.offers import ONE_DIGIT, few_wholes
from cli.play.passes import find_passing_seat
from cli.play.picker import Item
from cli.play.rewinds import plan_redo
from cli.play.session import PlaySession
from domain.judging.passing import is_waiting
from domain.law.offers import Template
from domain.table.table import Seat

WHOLES_LOOKED = 60
"""Most expansions of a verb to check before its whole actions get no keys."""

Verbs = Mapping[str, Sequence[Template]]


class MenuChoice(Struct, frozen=True):
    """A choice: without a verb all seats pass; without templates the verb is not offered."""

    verb: str = ""
    templates: Sequence[Template] = ()


class Menu:
    """Keys of one prompt."""

    def __init__(self, session: PlaySession, actor: Seat, verbs: Verbs) -> None:
        self._session, self._actor, self._verbs = session, actor, verbs
        self._keys = session.verb_keys
        self._wholes: dict[str, MenuChoice] = {}
        self._cards: dict[int, Item] = {}
        self._all_pass = is_waiting(session.table) and find_passing_seat(session, session.table) is not None

    def choose(self) -> MenuChoice:
        """Ask for a key. A verb that is not offered is possible, because it may have happened."""
        session, shown = self._session, self._list_options()
        session.picker.listed = self._cards
        ends = ending_verbs(session.match.game)
        known = {
            key: tag for tag, key in self._keys.items() if tag in self._verbs or not (key.isdigit() or tag in ends)
        }
        passing = (ENTER,) if self._all_pass else ()
        key = session.choose_key(self._actor, shown, {*self._wholes, *known, *passing})
        if key in self._wholes:
            return self._echo_choice(self._wholes[key], session.word(self._wholes[key].verb))
        if key in known:
            return self._echo_choice(MenuChoice(known[key], self._verbs.get(known[key], ())), session.word(known[key]))
        return self._echo_choice(MenuChoice(), session.say("play.all_pass"))

    def _echo_choice(self, chosen: MenuChoice, label: str) -> MenuChoice:
        self._session.paper.finish_prompt(label)
        self._session.remember_label(label)
        return chosen

    def _list_options(self) -> list[str]:
        session = self._session
        shown = [f"[{session.say('play.enter')}] {session.say('play.all_pass')}"] if self._all_pass else []
        for tag, templates in self._verbs.items():
            shown.append(f"[{self._keys[tag]}] {session.word(tag)}")
            shown += self._few(tag, templates)
        again = {REDO: session.say("play.redo")} if plan_redo(session).obstacle != "nothing" else {}
        more = {ELSE: session.say("play.other"), UNDO: session.say("play.undo"), **again}
        more[HELP] = session.say("play.more_keys")
        return [*shown, *(f"[{key}] {text}" for key, text in more.items())]

    def _few(self, tag: str, templates: Sequence[Template]) -> list[str]:
        if len(templates) != 1:
            return []
        taken = {*self._wholes, *(self._keys[tag] for tag in self._verbs)}
        free = [str(n) for n in range(1, ONE_DIGIT + 1) if str(n) not in taken]
        seen = self._session.actor_position(self._actor)
        names, few = few_wholes(seen, templates[0], len(free), WHOLES_LOOKED)
        if len(few) < 2:
            return []
        listed = self._session.asker(self._actor).wholes(templates[0], names, few)
        numbered = dict(zip(free, listed, strict=False))
        self._wholes |= {key: MenuChoice(tag, (item.value,)) for key, item in numbered.items()}
        if len(names) == 1:
            values = {key: single(dict(item.value.fixed)[names[0]]) for key, item in numbered.items()}
            self._cards |= {int(key): Item(value, numbered[key].label, ()) for key, value in values.items()}
        return [f"[{key}] {item.label}" for key, item in numbered.items()]
