"""Values that several commands take: how each is written and called in the help."""

from typing import Annotated, Literal

import typer

Match = Annotated[str, typer.Argument(metavar="MATCH", show_default=False)]
Action = Annotated[list[str], typer.Argument(metavar="ACTION", show_default=False)]
"""An action's words: quoted together or not."""
At = Annotated[int | None, typer.Option("--at", metavar="N", show_default=False)]
Viewer = Annotated[str, typer.Option("--as", metavar="VIEWER")]
By = Annotated[str, typer.Option("--by", metavar="WHO")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", show_default=False)]
Expect = Annotated[int | None, typer.Option("--expect", metavar="N", show_default=False)]
CommandId = Annotated[str | None, typer.Option("--command-id", metavar="ID", show_default=False)]
Frame = Annotated[str | None, typer.Option("--frame", metavar="FRAME", show_default=False)]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", show_default=False)]
Cards = Annotated[str | None, typer.Option("--cards", metavar="FILE.toml", show_default=False)]
Decks = Annotated[list[str] | None, typer.Option("--deck", metavar="SEAT=DECK", show_default=False)]
Readings = Annotated[list[str] | None, typer.Option("--reading", metavar="OPTION=VALUE", show_default=False)]
Spec = Annotated[str, typer.Argument(metavar="GAME@VERSION", show_default=False)]
Record = Annotated[str, typer.Argument(metavar="MATCH|FILE", show_default=False)]
Paths = Annotated[list[str], typer.Argument(metavar="PATH...", show_default=False)]
GameKey = Annotated[str, typer.Argument(metavar="GAME", show_default=False)]
Format = Annotated[Literal["notation", "jsonl"], typer.Option("--format", metavar="notation|jsonl")]
Rules = Annotated[str | None, typer.Option("--rules", metavar="GAME@VERSION|FILE.toml", show_default=False)]
