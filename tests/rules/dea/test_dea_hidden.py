"""Face-down cards in set-up reveal nothing through any action."""

from domain.games.dea import GAME, actions as A, clauses as C, schema as S, table_queries as R
from domain.law.clause import Clause
from domain.law.driver import decide, decide_as_played
from domain.law.outcome import Accepted
from domain.table.table import CardId, Place, Table
from tests.laws.samples import moments, sample
from tests.rows import for_each

LAW = sample(GAME.key, 0).law


def placing() -> Table:
    steps = [at.before for at in moments(GAME.key, 0) if at.before.clock.step == S.PLACING]
    return steps[len(steps) // 2]


def face_down(t: Table) -> dict[str, CardId]:
    own = R.own_characters(LAW.rules, t, R.SEATS[0])
    return {t.pieces[one].face or "": one for one in own if not t.pieces[one].up}


@for_each("kind", [A.Move, A.Attack])
def test_moving_it_breaks_the_same_clauses_whoever_it_is(kind: type[A.Move] | type[A.Attack]) -> None:
    t = placing()
    broken: dict[str, tuple[Clause, ...]] = {}
    for face, one in face_down(t).items():
        outcome = decide_as_played(LAW, t, R.SEATS[0], kind(one, Place("map:3,3")))
        assert isinstance(outcome, Accepted)
        broken[face] = outcome.violations
    kinds = {GAME.pools.cards_by_pool[""][face].move for face in broken}  # type: ignore[union-attr,index]
    assert len(kinds) > 1 and len(set(broken.values())) == 1, broken


def test_its_ability_cannot_be_used_whether_it_has_it_or_not() -> None:
    t = placing()
    answers = set()
    for one in face_down(t).values():
        for ability in ("feint", "shove", "beat_up", "no_such_thing"):
            outcome = decide_as_played(LAW, t, R.SEATS[0], A.UseAbility(one, ability))
            answers.add(outcome.violations if isinstance(outcome, Accepted) else outcome.clause)
    assert answers == {C.PASSIVES_NOT_DECLARED}


def test_who_is_asked_in_set_up_hangs_on_numbers_alone() -> None:
    t = placing()
    (seat,) = GAME.awaited(t)
    after = set()
    for one in R.unplaced(t, seat):
        if R.printed(LAW.rules, t, one).type == "character":
            cell = next(
                cell for cell in R.cells(LAW.rules.size) if R.in_home(LAW.rules, seat, cell) and R.is_empty(t, cell)
            )
            outcome = decide(LAW, t, seat, A.PlaceCharacter(one, cell))
            assert isinstance(outcome, Accepted)
            after.add((GAME.awaited(outcome.table), tuple(clause for clause, _ in outcome.told)))
    assert len(after) == 1
