"""Values that several commands take: how each is written and called in the help."""

from typing import Annotated, Literal

Match = Annotated[str, "MATCH"]
Action = Annotated[list[str], "ACTION"]
"""An action's words: quoted together or not."""
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
Readings = Annotated[list[str] | None, "--reading OPTION=VALUE"]
Spec = Annotated[str, "GAME@VERSION"]
Record = Annotated[str, "MATCH|FILE"]
Paths = Annotated[list[str], "PATH..."]
GameKey = Annotated[str, "GAME"]
Format = Annotated[Literal["notation", "jsonl"], "--format notation|jsonl"]
Rules = Annotated[str | None, "--rules GAME@VERSION|FILE.toml"]
