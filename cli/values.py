"""Parameters shared by several commands, with their syntax."""

from typing import Annotated, Literal

from msgspec import Struct, to_builtins

Match = Annotated[str, "MATCH"]
Action = Annotated[list[str], "ACTION"]
"""Words of an action, quoted together or not."""
At = Annotated[int | None, "--at N"]
Viewer = Annotated[str, "--as VIEWER"]
By = Annotated[str, "--by WHO"]
Reason = Annotated[str, "--reason TEXT"]
Expect = Annotated[int | None, "--expect N"]
CommandId = Annotated[str | None, "--command-id ID"]
Frame = Annotated[str | None, "--frame FRAME"]
Settings = Annotated[list[str] | None, "--set OPTION=VALUE"]
Cards = Annotated[str | None, "--cards FILE.toml"]
Decks = Annotated[list[str] | None, "--deck SEAT=DECK"]
Pledges = Annotated[list[str] | None, "--pledge SEAT=PLEDGE"]
Readings = Annotated[list[str] | None, "--reading OPTION=VALUE"]
Spec = Annotated[str, "GAME@VERSION"]
Record = Annotated[str, "MATCH|FILE"]
Paths = Annotated[list[str], "PATH..."]
GameKey = Annotated[str, "GAME"]
Format = Annotated[Literal["notation", "jsonl"], "--format notation|jsonl"]


class OtherRules(Struct, frozen=True):
    """Rules other than those of a record: a whole ruleset, or changes to its own."""

    rules: Annotated[str | None, "--rules GAME@VERSION|FILE.toml"] = None
    settings: Settings = None
    frame: Frame = None


OWN = OtherRules()


class OnOccasion(Struct, frozen=True, omit_defaults=True):
    """Event of a match, as far as known."""

    event: Annotated[str | None, "--event TEXT"] = None
    site: Annotated[str | None, "--site TEXT"] = None
    date: Annotated[str | None, "--date TEXT"] = None
    round: Annotated[str | None, "--round TEXT"] = None
    table: Annotated[str | None, "--table TEXT"] = None
    start: Annotated[str | None, "--start TEXT"] = None
    limit: Annotated[str | None, "--limit TEXT"] = None

    @property
    def texts(self) -> dict[str, str]:
        given: dict[str, str] = to_builtins(self)
        return given


UNSAID = OnOccasion()


class OnOccasionEnded(OnOccasion, frozen=True, omit_defaults=True):
    """Event of a match, and the announced result."""

    announced: Annotated[str | None, "--result TEXT"] = None


class Entering(Struct, frozen=True):
    """The author of an entry, the expected last entry, and the command id."""

    by: By = "judge"
    expect: Expect = None
    command_id: CommandId = None


ENTERING = Entering()


class Repairing(Struct, frozen=True):
    """Contents of a ruling besides the verdict: clauses, penalties and repair."""

    clauses: Annotated[list[str] | None, "--clause CLAUSE"] = None
    penalties: Annotated[list[str] | None, "--penalty SEAT=STEP"] = None
    to: Annotated[int | None, "--to N"] = None
    facts: Annotated[list[str] | None, "--fact FACT"] = None
    departure: Annotated[str, "--departure TEXT"] = ""


LEAVING = Repairing()
