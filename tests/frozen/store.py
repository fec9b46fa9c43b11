"""Create a store in the current format. `store-1.sqlite` was created once and must not be recreated.

python -m tests.frozen.store tests/frozen/store-2.sqlite
"""

import sys
from pathlib import Path

from domain.formats.actions import parse_action
from domain.formats.notation import parse_notation
from domain.games import GAMES
from domain.law import croupier
from domain.law.clause import BY_HAND
from domain.law.law import Law
from domain.table.facts import Marked
from domain.table.table import Seat
from recorder import codec
from recorder.answers import Imported, RecordResult
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import advance, close, correct, note, open_match, play, rewind
from recorder.store import Store
from tests.imports import import_entries

ROOT = Path(__file__).parents[2]
SEED = bytes(range(16))
AT = 1_767_323_045_000


def make(where: Path) -> None:
    """Create a store with the disputed match imported from notation, and another played through the recorder."""
    text = (ROOT / "fixtures" / "blackpoker" / "matches" / "disputed.spn").read_text(encoding="utf-8")
    with Store.open(where) as store:
        entries = parse_notation(text, GAMES, croupier.make_random_source)
        assert isinstance(import_entries(store, [codec.encode(one) for one in entries]), Imported)
        _played(store)
        game = GAMES["blackpoker"]
        open_match(store, Law(game, game.versions["8.1-lite"]), "8.1-lite", {}, seed=SEED, match_id="open", at=AT)


def _played(store: Store) -> None:
    game = GAMES["blackpoker"]
    names = {Seat("p1"): "Aoi", Seat("p2"): "蓮"}
    rules = game.versions["8.1-lite"]
    open_match(store, Law(game, rules), "8.1-lite", names, seed=SEED, match_id="every", at=AT, by="judge")
    advance(store, "every", at=AT)
    loaded = load_match(store, "every")
    assert isinstance(loaded, LoadedMatch)
    active = loaded.table.clock.awaited[0]
    actor, action = parse_action(game, loaded.table, f"{active}: attack")
    begun = _require_result(play(store, "every", actor, action, command_id="c-1", at=AT + 1))
    _require_result(note(store, "every", "judge", "二人とも同意", at=AT + 2))
    by_hand = ((BY_HAND, Marked(active, "attacks", 0)),)
    _require_result(correct(store, "every", "judge", "not requested yet", by_hand, at=AT + 3))
    _require_result(rewind(store, "every", begun.version - 1, "once more", "judge", at=AT + 4))
    other = Seat("p2" if active == "p1" else "p1")
    loaded = load_match(store, "every")
    assert isinstance(loaded, LoadedMatch)
    actor, action = parse_action(game, loaded.table, f"{other}: concede")
    _require_result(play(store, "every", actor, action, as_played=True, at=AT + 5))
    _require_result(close(store, "every", "judge", "time", at=AT + 6, abandon=True))


def _require_result(answer: object) -> RecordResult:
    assert isinstance(answer, RecordResult), answer
    return answer


if __name__ == "__main__":
    target = Path(sys.argv[1])
    assert not target.exists(), f"{target} is there already, and is never made again"
    make(target)
