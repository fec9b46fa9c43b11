from tests.rows import for_each
from tests.rules.blackpoker.position import ATTACK, position

UNITS = [
    (("S7",), "common_soldier", 7, "attacker blocker"),
    (("HQ",), "hero", 12, "attacker blocker"),
    (("CA",), "ace", 1, "attacker blocker haste"),
    (("D3", "+ D7"), "armed_soldier", 10, "attacker blocker"),
    (("D3", "+ DA", "+ DK"), "armed_soldier", 17, "attacker blocker haste"),
]


@for_each("cards, component, size, labels", UNITS)
def test_11_2_what_a_soldier_is_follows_from_its_cards(
    cards: tuple[str, ...], component: str, size: int, labels: str
) -> None:
    board = {"p1.soldiers": (f"u = {cards[0]}", *cards[1:])}
    position(board).then(readings={"u component": component, "u size": size, "u labels": labels})


def test_11_5_haste_can_be_read_from_the_last_card_alone() -> None:
    board = {"p1.soldiers": ("u = DA", "+ D7")}
    position(board, options={"armed.haste_from": "last_card"}).then(readings={"u labels": "attacker blocker"})
    position(board).then(readings={"u labels": "attacker blocker haste"})


def test_11_6_a_bulwark_blocks_and_has_no_size() -> None:
    board = position({"p1.bulwarks": ("b = CK",)}).then(readings={"b labels": "blocker"})
    sizes = [one for one in board.scene.law.readings(board.scene.table) if one.name == "size"]
    assert sizes == []


def test_11_7_size_counts_every_fog_that_counts() -> None:
    fogs = [
        {"kind": "up", "by": "p1", "source": "f", "on": ["u"], "numbers": [8], "until": "turn", "since": 5},
        {"kind": "down", "by": "p2", "source": "g", "on": ["u"], "numbers": [-4], "until": "turn", "since": 5},
    ]
    board = {"p1.soldiers": ("u = C6",), "p1.fog": ("f = H8",), "p2.fog": ("g = S4",)}
    position(board, effect=fogs).then(readings={"u size": 10})


def test_11_8_a_size_below_one_does_not_kill_by_itself() -> None:
    fog = {"kind": "down", "by": "p2", "source": "g", "on": ["a"], "numbers": [-5], "until": "card", "since": 4}
    board = {"p1.soldiers": ("a = D3",), "p2.fog": ("g = S5",)}
    small = position(board, effect=[fog], options={"fog.end_scope": "own_card_active"}).then(readings={"a size": -2})
    small.when(*ATTACK, "p2: designate_blockers -", "pp").then(count={"p2.life": 12}, has={"p1.soldiers": ["a"]})
