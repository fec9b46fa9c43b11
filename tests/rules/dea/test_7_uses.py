"""Chapter 7: abilities, gimmicks, foreshadows and conversions, each with the facts of its own clause."""

from tests.rules.dea.position import position


def test_7_2_an_ability_is_paid_declared_and_takes_effect() -> None:
    declared = position().when("p1: use_ability C03 beat_up targets=C01")
    declared.emits("DEA-7.24 mark", "DEA-7.2 push").then(seats={"p1": {"pages": 4}})
    declared.when("pp").emits("DEA-9.10 began", "DEA-7.2 pop").then(readings={"C01 atk": 7})


def test_7_5_an_event_is_paid_opened_and_takes_effect() -> None:
    board = position({"p1.hand": ("G07", "G06", "G10")}, seats={"p1": {"life": 10}})
    declared = board.when("p1: play_event G07")
    declared.emits("DEA-7.24 mark", "DEA-7.5 move", "DEA-7.5 push")
    declared.when("pp").emits("DEA-7.5 mark", "DEA-7.5 pop", "DEA-8.13 move").then(seats={"p1": {"life": 13}})


def test_7_5_cards_are_discarded_and_put_back_by_the_event_that_says_so() -> None:
    board = position({"p1.hand": ("G06", "G14", "G05"), "p1.deck": ("G01", "G08", "G10", "G12")})
    letter = board.when("p1: play_event G06", "pp").emits("DEA-7.5 move", "DEA-9.13 push")
    letter.when("p1: choose_cards G05").emits("DEA-7.5 move", "DEA-7.5 pop")
    editor = board.when("p1: play_event G14 writer=p1", "pp").emits("DEA-7.5 show", "DEA-9.13 push")
    editor.when("p1: choose_cards G10,G08,G01").emits("DEA-7.5 order", "DEA-7.5 pop")


def test_7_7_equipment_is_paid_opened_and_laid() -> None:
    declared = position({"p1.hand": ("Q01",)}).when("p1: play_equipment Q01 C01")
    declared.emits("DEA-7.24 mark", "DEA-7.7 move", "DEA-7.7 push")
    declared.when("pp").emits("DEA-8.13 move", "DEA-8.13 tie", "DEA-8.13 pop").then(readings={"C01 atk": 7})


def test_7_11_a_foreshadow_is_opened_by_its_use() -> None:
    declared = (
        position().when("p1: use_foreshadow F10 targets=C06").emits("DEA-7.11 turn", "DEA-9.7 mark", "DEA-7.11 push")
    )
    declared.when("pp").emits("DEA-9.10 began", "DEA-7.11 pop")
    position().when("p1: use_foreshadow F03", "pp").emits("DEA-7.14 began", "DEA-7.11 pop")


def test_7_17_a_converted_card_and_its_page() -> None:
    position({"p1.hand": ("G07",)}).when("p1: convert_hand G07").emits("DEA-7.17 move", "DEA-7.18 mark")


def test_7_21_converted_pages_become_a_point() -> None:
    declared = position(seats={"p1": {"pages": 8}}).when("p1: convert_pages").emits("DEA-7.20 mark", "DEA-7.21 push")
    declared.when("pp").emits("DEA-7.21 mark", "DEA-7.21 pop").then(seats={"p1": {"ep": 1}})


def test_5_12_the_phase_ends_by_declaration_where_nobody_answers() -> None:
    position(options={"end_main_window": "no"}).when("p1: end_main").emits("DEA-5.12 clock", "DEA-5.15 clock")
    position().when("p1: end_main", "p2: pass").emits("DEA-5.13 clock", "DEA-5.15 clock")


def test_7_2_an_ability_that_the_character_has_not_is_not_a_passive_one() -> None:
    position().when("p1: use_ability C03 shove targets=C07").refused_by("DEA-7.2")
    position().when("p1: use_ability C02 double_dash").refused_by("DEA-7.3")


def test_7_14_a_field_that_waits_fails_because_of_the_newer_one() -> None:
    fields = position({"p2.hand": ("G03",)}, foreshadows={"p1": ("F03", "F04", "F10")})
    both = fields.when("p1: use_foreshadow F03", "p2: pass", "p1: use_foreshadow F04").emits("DEA-7.14 alter")
    both.when("pp").emits("DEA-7.14 began", "DEA-7.14 pop").then(readings={"C01 atk": 5})
    fields.when("p1: use_foreshadow F03", "p2: play_event G03 item=@foreshadow", "p1: pass", "p2: pass").emits(
        "DEA-8.10 pop"
    )
