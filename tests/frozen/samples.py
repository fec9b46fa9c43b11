"""One sample of everything stored on disk: each type of entry, fact and action, a table, a schema.

A type with optional fields has one sample with all of them and one with none (`.least`). The values are frozen too:
only add to them.
"""

from typing import Any

import msgspec
from msgspec.structs import asdict

from domain.games.blackpoker import actions as bp
from domain.games.dea import actions as de
from domain.games.grimoire import actions as gr
from domain.games.skillbook import actions as sb
from domain.law import disputes as D
from domain.law.clause import BY_HAND, Clause
from domain.law.entries import (
    Closed,
    Corrected,
    Described,
    Entry,
    Gap,
    Noted,
    Opened,
    Played,
    Pledged,
    Restored,
    Rewound,
    Undealt,
)
from domain.law.occasion import Occasion
from domain.law.slots import Action
from domain.table import facts as F
from domain.table.schema import Area, Kind, Mark, Schema, Visibility
from domain.table.table import (
    CardId,
    Clock,
    Effect,
    EffectId,
    Frame,
    FrameId,
    Obj,
    Piece,
    Place,
    Result,
    Seat,
    Table,
    Todo,
    ValueColumns,
)
from recorder import codec

P1, P2 = Seat("p1"), Seat("p2")
HAND, FIELD = Place("p1.hand"), Place("unit:3,4")


def cards(*ids: int) -> tuple[CardId, ...]:
    return tuple(CardId(one) for one in ids)


CELL = Place("map:3,4")
GROUND = Place("ground:3,4")
CARD, THING = CardId(300), Obj(CardId(70_000), 128)
COLUMNS: dict[str, Any] = {
    "objs": (THING,),
    "pairs": ((THING, Obj(CardId(1), 2)),),
    "cards": cards(5, 300),
    "frames": (FrameId(9),),
    "seats": (P2,),
    "places": (FIELD,),
    "numbers": (0, -1, 1_000_000),
    "words": ("charged", "札"),
}
TODO = (Todo((0, 2, 1), P2),)
FRAME = Frame(id=FrameId(12), lane="stack", kind="up", by=P1, step="fog", face="H8", todo=TODO, **COLUMNS)
LEAST_FRAME = Frame(id=FrameId(1), lane="asked", kind="coin_toss", by=Seat("chance"))
EFFECT = Effect(
    id=EffectId(4),
    kind="up",
    by=P1,
    source=THING,
    on=(THING,),
    until="turn",
    since=7,
    face="H8",
    path=(0, 1),
    **COLUMNS,
)
LEAST_EFFECT = Effect(id=EffectId(1), kind="down", by=P2, source=Obj(CardId(1), 1))
CLOCK = Clock(3, P1, P2, "play", "main", (P1, P2), (P2,))
SCHEMA = Schema(
    areas=(
        Area("hand", True, "bag", Visibility("all", "each", "below", 10), False, True, 7, (0, 0)),
        Area("unit", False, "grid", Visibility("each", "up", "top"), size=(5, 7)),
    ),
    stances=("charged", "driven"),
    marks=(Mark("used.*", "card", 0, 3, True), Mark("attacks", "seat"), Mark("round", "table", -1)),
    kinds=(
        Kind("up", ("stack", "waiting"), ("fog", "leave"), {"cards": ("key...",)}, ("cards",)),
        Kind("coin", ("asked",)),
    ),
    effects=("up",),
    untils=("turn",),
    phases=("set_up", "play"),
    steps={"play": ("main", "end")},
    teams={P1: "a", P2: "b"},
    out="left",
    telling=("X-1",),
)
LEAST_SCHEMA = Schema(areas=())
TABLE = Table(
    pieces={
        CardId(1): Piece("S4", P1, P2, HAND, 57, True, 1, CardId(300), (P1, Seat("*")), {"entered": 5}),
        CARD: Piece(None, P2, P2, FIELD, 1),
    },
    places={HAND: cards(1), FIELD: cards(300), Place("p2.life"): ()},
    seats={P1: {"attacks": 1}, P2: {}},
    marks={"round": 2},
    stack=(FRAME,),
    running=(LEAST_FRAME,),
    waiting=(FRAME, LEAST_FRAME),
    asked=(LEAST_FRAME,),
    effects=(EFFECT, LEAST_EFFECT),
    clock=CLOCK,
    minted=57,
    framed=12,
    begun=4,
    result=Result((P1,), "life"),
)

FACTS: dict[str, F.Fact] = {
    "new": F.Created(HAND, cards(1, 300), ("S4", None), P1),
    "gone": F.Removed(cards(1, 2)),
    "move": F.Moved(cards(1, 300), FIELD, 2, True),
    "move.least": F.Moved(cards(70_000), HAND),
    "order": F.Arranged(HAND, cards(3, 1, 2), False),
    "order.least": F.Arranged(HAND, cards(3)),
    "turn": F.Turned(cards(5), True),
    "stance": F.Stanced(cards(5, 6), 1),
    "ctrl": F.Controlled(cards(5), P2),
    "tie": F.Tied(cards(5), CARD),
    "tie.least": F.Tied(cards(5)),
    "mark": F.Marked(cards(5, 6), "entered", 3),
    "mark.seat": F.Marked(P1, "attacks", 1),
    "mark.table": F.Marked(None, "round", -1),
    "learn": F.Learned(CARD, "JK"),
    "learn/2": F.Identified(cards(5, 300), ("S4", None)),
    "show": F.Shown(cards(5), (P1, Seat("*")), True),
    "show.least": F.Shown(cards(5), ()),
    "roll": F.Rolled("coin", 6, P2, CARD),
    "roll.least": F.Rolled("coin"),
    "began": F.Began(EFFECT),
    "began.least": F.Began(LEAST_EFFECT),
    "adj": F.Adjusted(EffectId(4), (5, -2)),
    "ended": F.Ended((EffectId(4), EffectId(1))),
    "end": F.Finished(Result((), "time")),
    "push": F.Pushed(FRAME),
    "push.least": F.Pushed(LEAST_FRAME),
    "alter": F.Altered(FrameId(12), "leave", "running", ValueColumns(**COLUMNS), TODO),
    "alter.least": F.Altered(FrameId(12)),
    "pop": F.Popped(FrameId(12), "resolved"),
    "clock": F.Clocked(CLOCK),
    "clock.least": F.Clocked(Clock()),
}

TOLD = ((Clause("X-1.2"), FACTS["move"]), (BY_HAND, FACTS["mark.seat"]))
OCCASION = Occasion(
    event="春の大会",
    site="Osaka",
    date="2026-11-22",
    round="3",
    table="12",
    start="10:00",
    limit="50 min",
    title="Final",
)
RULING: dict[str, Any] = {
    "clauses": (Clause("BP-6.4"),),
    "penalties": (D.Penalty(P1, "warning", "misplay"),),
    "repair": D.Repair("rewind", 3),
    "reason": "it was driven",
    "opinion": D.Opinion("0123456789abcdef", "not_allowed", (Clause("BP-6.4"),)),
}
ENTRIES: dict[str, Entry] = {
    "opened": Opened(
        at=1_767_323_045_000, game="toy", version="1", rules={"goal": 4, "laid": "up", "listed": ["a", 1, True, None]},
        rules_hash="0123456789abcdef", schema=SCHEMA, seats=(P1, P2), names={P1: "Aoi", P2: "蓮"},
        decks={P1: ("S4", "JK"), P2: ()}, match="table-17", commitment="ab", by="judge", parent="table-16",
        told=TOLD, parent_at=9,  # type: ignore[arg-type]
    ),
    "opened.policy": Opened(
        game="toy", version="", rules={}, rules_hash="", schema=LEAST_SCHEMA, seats=(P1, P2),
        policy={"name": "house", "version": "1", "step": {"warning": {"en": "warning", "ja": "警告", "next": ""}}},
    ),
    "opened.sides": Opened(
        game="toy", version="", rules={}, rules_hash="", schema=LEAST_SCHEMA, seats=(P1, P2),
        decks={P1: ("S4",), P2: ("S4",)}, sides={P2: ("H1", "H1")},
    ),
    "opened.occasion": Opened(
        game="toy", version="", rules={}, rules_hash="", schema=LEAST_SCHEMA, seats=(P1, P2), occasion=OCCASION,
    ),
    "opened.least": Opened(game="toy", version="", rules={}, rules_hash="", schema=LEAST_SCHEMA, seats=()),
    "opened/2.least": Undealt(game="toy", version="", rules={}, rules_hash="", schema=LEAST_SCHEMA, seats=()),
    "opened/3.least": Pledged(game="toy", version="", rules={}, rules_hash="", schema=LEAST_SCHEMA, seats=()),
    "played": Played(
        at=2, actor=P1, action=codec.raw_action(bp.Up(keys=cards(5), discards=cards(300), target=CardId(7))),
        told=TOLD, violations=(Clause("X-1.2"), Clause("X-3")),  # type: ignore[arg-type]
    ),
    "played.by_hand": Played(actor=Seat("chance"), action=codec.raw_action(bp.Pass()), by_hand=True),
    "played.least": Played(actor=Seat("chance"), action=codec.raw_action(bp.Pass())),
    "corrected": Corrected(at=3, by="judge", reason="札が落ちた", told=TOLD),  # type: ignore[arg-type]
    "corrected.least": Corrected(by="", reason=""),
    "gap": Gap(at=3, by="judge", reason="the video stood still", most=3, told=TOLD),  # type: ignore[arg-type]
    "gap.least": Gap(by="", reason=""),
    "rewound": Rewound(at=4, to=300, reason='"no"', by="judge"),
    "rewound.least": Rewound(to=1, reason="", by=""),
    "rewound/2": Restored(to=299, reason='"yes"', by="head judge", at=5),
    "rewound/2.least": Restored(to=1, reason="", by=""),
    "noted": Noted(at=5, by="p1", text="two\nlines 🂡"),
    "noted.about": Noted(by="judge", text="too slow", about=4),
    "noted.least": Noted(by="", text=""),
    "described": Described(at=7, by="judge", occasion=OCCASION, announced="p1 2-1"),
    "described.least": Described(by=""),
    "disputed": D.Disputed(
        at=8, by="p1", matter=D.Matter(4, 31, Clause("BP-6.4")), claims={P1: "it was charged", P2: "違う"}, dispute=3
    ),
    "disputed.least": D.Disputed(by=""),
    "ruled": D.Ruled(at=9, by="kato", dispute=5, verdict="not_allowed", departure="first time", **RULING),
    "ruled.asks": D.Ruled(by="", dispute=1, verdict="unclear", repair=D.Repair("ask", 3), reason="out of turn"),
    "ruled.least": D.Ruled(by="", dispute=1, verdict="unclear"),
    "appealed": D.Appealed(at=9, by="p1", dispute=5, reason="nobody saw it"),
    "appealed.least": D.Appealed(by="", dispute=1, reason=""),
    "decided": D.Decided(
        at=9, by="abe", dispute=5, outcome="overturned", verdict="no_fault", departure="first time", **RULING
    ),
    "decided.least": D.Decided(by="", dispute=1, outcome="upheld", reason=""),
    "penalised": D.Penalised(at=9, by="abe", penalty=D.Penalty(P2, "warning"), reason="late", departure="mild"),
    "penalised.least": D.Penalised(by="", penalty=D.Penalty(P1, "warning")),
    "paused": D.Paused(at=9, by="abe", reason="a call"),
    "paused.least": D.Paused(by=""),
    "resumed": D.Resumed(at=9, by="abe", extension=185_000),
    "resumed.least": D.Resumed(by=""),
    "unsealed": D.Unsealed(at=9, by="kato", eyes=P1, until=600_009),
    "unsealed.least": D.Unsealed(by="", eyes=P2),
    "sealed": D.Sealed(at=9, by="kato", eyes=P1),
    "sealed.least": D.Sealed(by="", eyes=P2),
    "revealed": D.Revealed(at=9, by="kato", seat=P1, secret="000102030405060708090a0b0c0d0e0f"),
    "revealed.missing": D.Revealed(at=9, by="kato", seat=P2, reason="gone home"),
    "revealed.least": D.Revealed(by="", seat=P2),
    "closed": Closed(at=6, by="judge", seed="00ff", reason="time"),
    "closed.least": Closed(by=""),
}  # fmt: skip

MORE: dict[str, Any] = {"occasion": OCCASION, "sides": {P2: ("?", "S4")}, "policy": {"name": "house"}}
ENTRIES["opened/2"] = Undealt(**{**asdict(ENTRIES["opened"]), **MORE})

ENTRIES["opened/3"] = Pledged(**{**asdict(ENTRIES["opened"]), **MORE, "pledges": {P1: "ab" * 32, P2: "cd" * 32}})

ACTIONS: dict[str, dict[str, Action]] = {
    "blackpoker": {
        "pass": bp.Pass(),
        "concede": bp.Concede(),
        "end": bp.End(),
        "attack": bp.Attack(cards(5, 300)),
        "set_bulwark": bp.SetBulwark(),
        "summon_soldier": bp.SummonSoldier(cards(5), cards(6)),
        "summon_hero": bp.SummonHero(cards(5), cards(6, 7)),
        "summon_ace": bp.SummonAce(cards(5)),
        "equip": bp.Equip(cards(5), cards(6), CARD),
        "up": bp.Up(cards(5), cards(6), CARD),
        "down": bp.Down(cards(5), cards(6), CARD),
        "twist": bp.Twist(cards(5), cards(6), CARD, "driven"),
        "counter": bp.Counter(cards(5), cards(6), FrameId(12)),
        "search": bp.Search(cards(5)),
        "destroy_bulwark": bp.DestroyBulwark(cards(5, 6), CARD),
        "throwing": bp.Throwing(cards(5, 6), P2),
        "unoffered": bp.Unoffered("force"),
        "choose_discards": bp.ChooseDiscards(cards(5, 6)),
        "choose_second_draw": bp.ChooseSecondDraw(True),
        "designate_attackers": bp.DesignateAttackers(cards(5, 6)),
        "designate_blockers": bp.DesignateBlockers(((CardId(5), CardId(6)), (CARD, CardId(6)))),
        "choose_bulwark_card": bp.ChooseBulwarkCard(CARD),
        "choose_twist_state": bp.ChooseTwistState("charged"),
        "choose_search_card": bp.ChooseSearchCard(CARD),
        "order_triggers": bp.OrderTriggers(FrameId(12)),
        "choose_grave_top": bp.ChooseGraveTop(CARD),
        "shuffle_deck": bp.ShuffleDeck(P1, cards(3, 1, 2)),
        "shuffle_life": bp.ShuffleLife(P2, cards(3, 1, 2)),
        "coin_toss": bp.CoinToss(P2),
        "judge_end": bp.JudgeEnd(P1, "time"),
    },
    "grimoire": {
        "trance_hand": gr.TranceHand(CARD),
        "trance_buy_draw": gr.TranceBuyDraw(),
        "trance_buy_bookmark": gr.TranceBuyBookmark(CARD),
        "trance_skip": gr.TranceSkip(),
        "cast": gr.Cast(CARD),
        "play": gr.Play(CARD, CardId(6)),
        "activate": gr.Activate(CARD, 1, cards(5, 6), cards(300)),
        "od_explosion": gr.OdExplosion(CARD, "bookmark", CardId(6)),
        "pass": gr.Pass(),
        "concede": gr.Concede(),
        "choose_opening_bookmark": gr.ChooseOpeningBookmark(CARD),
        "order_effects": gr.OrderEffects((FrameId(12), FrameId(300))),
        "choose_objects": gr.ChooseObjects(cards(5, 6)),
        "choose_yes_no": gr.ChooseYesNo(True),
        "choose_option": gr.ChooseOption(6),
        "shuffle_grimoire": gr.ShuffleGrimoire(P1, cards(3, 1, 2)),
        "random_first_player": gr.RandomFirstPlayer(P2),
        "judge_time_call": gr.JudgeTimeCall(),
        "judge_end": gr.JudgeEnd(P1, "time"),
        "judge_release": gr.JudgeRelease(),
    },
    "dea": {
        "place_character": de.PlaceCharacter(CARD, CELL),
        "set_foreshadows": de.SetForeshadows(cards(3, 1, 2)),
        "move": de.Move(CARD, CELL),
        "attack": de.Attack(CARD, CELL),
        "use_ability": de.UseAbility(CARD, "shove", cards(5, 6), CELL, FrameId(12), P2, "north"),
        "play_event": de.PlayEvent(CARD, cards(5, 6), CELL, FrameId(12), P2, "west"),
        "play_equipment": de.PlayEquipment(CARD, CardId(6)),
        "use_foreshadow": de.UseForeshadow(CARD, cards(5, 6), CELL, FrameId(12), P2, "south"),
        "convert_hand": de.ConvertHand(CARD),
        "convert_pages": de.ConvertPages(),
        "end_main": de.EndMain(),
        "pass": de.Pass(),
        "concede": de.Concede(),
        "choose_next_effect": de.ChooseNextEffect(FrameId(12)),
        "choose_cell": de.ChooseCell(CELL),
        "choose_targets": de.ChooseTargets(cards(5, 6), CELL, FrameId(12), P2, "east"),
        "choose_cards": de.ChooseCards(cards(5, 6)),
        "pay_or_decline": de.PayOrDecline(True, cards(5)),
        "discard_to_limit": de.DiscardToLimit(CARD),
        "give_title": de.GiveTitle("忍び泉の夜"),
        "first_player": de.FirstPlayer(P2),
        "shuffle": de.Shuffle(P1, cards(3, 1, 2)),
        "random_discard": de.RandomDiscard(cards(5)),
        "tie_break": de.TieBreak(P2),
        "call_time": de.CallTime(),
        "judge_end": de.JudgeEnd(P1, "time"),
    },
    "skillbook": {
        "lay_out_map": sb.LayOutMap(cards(3, 1, 2)),
        "choose_order": sb.ChooseOrder("second"),
        "place_hero": sb.PlaceHero(GROUND),
        "order_triggers": sb.OrderTriggers((FrameId(12), FrameId(300))),
        "choose_targets": sb.ChooseTargets(cards(5, 6), GROUND, True),
        "order_graveyard": sb.OrderGraveyard(cards(3, 1, 2)),
        "make_room": sb.MakeRoom(CARD),
        "place_card": sb.PlaceCard(CARD, "discard_table_shift", CardId(5), CardId(6)),
        "choose_explore": sb.ChooseExplore(True),
        "choose_terrain_effect": sb.ChooseTerrainEffect("ignore"),
        "choose_attack_target": sb.ChooseAttackTarget(CARD, (GROUND, Place("ground:3,5"))),
        "counter": sb.Counter(),
        "decline_counter": sb.DeclineCounter(),
        "charge": sb.Charge(),
        "decline_charge": sb.DeclineCharge(),
        "use_skill": sb.UseSkill(CARD, cards(5, 6), GROUND, FrameId(12), (GROUND, Place("ground:3,5"))),
        "use_ability": sb.UseAbility(CARD, 1, cards(5, 6), GROUND),
        "declare_move": sb.DeclareMove(CARD),
        "move_step": sb.MoveStep((GROUND, Place("ground:3,5"))),
        "stop_move": sb.StopMove(),
        "explore_in_place": sb.ExploreInPlace(CARD),
        "start_battle": sb.StartBattle(CARD),
        "discard_aura": sb.DiscardAura(CARD),
        "dispel_curse": sb.DispelCurse(CARD),
        "end_turn": sb.EndTurn(),
        "show_graveyard": sb.ShowGraveyard(6),
        "pass": sb.Pass(),
        "concede": sb.Concede(),
        "shuffle_book": sb.ShuffleBook(P1, cards(3, 1, 2)),
        "toss": sb.Toss(P2),
        "call_time": sb.CallTime(),
        "judge_end": sb.JudgeEnd(P1, "time"),
    },
}

STATES: dict[str, Any] = {
    "table": TABLE,
    "table.least": Table({}, {}, {}),
    "schema": SCHEMA,
    "schema.least": LEAST_SCHEMA,
}


def every() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {"entries": {**ENTRIES}, "facts": {**FACTS}, "states": STATES}
    return found | {f"actions-{key}": {**some} for key, some in ACTIONS.items()}


def encode_value(value: Any) -> bytes:
    return codec.encode(value) if isinstance(value, Entry) else msgspec.msgpack.encode(value)
