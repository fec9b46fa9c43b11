"""Help by topic: the commands of one panel, or the help of one command."""

from typing import Annotated

import typer

from cli import help as H, registry
from cli.context import CommandContext, quote_input


def show_topic(ctx: CommandContext, topic: Annotated[str, "TOPIC"] = "") -> None:
    """Print the commands of a topic, of all topics without one, or the help of a command. Raises CommandError."""
    panels = registry.panel_texts(ctx.lang)
    if topic in panels or not topic:
        with ctx.screen.paged():
            H.write_panels(ctx.screen, [panels[topic]] if topic else panels.values())
        return
    names = {name: name for _, texts in panels.values() for name in texts}
    if topic not in names:
        raise ctx.problem("help.no_topic", topic=quote_input(topic), topics=", ".join(panels))
    command = registry.Loaded(registry.Shared(ctx.screen, ctx.lang), names)[topic]
    H.show(ctx.screen, typer.Context(command, info_name=f"shinpan {topic}"))  # type: ignore[arg-type]
