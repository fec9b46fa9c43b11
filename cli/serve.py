"""Command `serve`. The service is an extra, imported only here."""

from typing import Annotated

from msgspec import Struct

from cli.context import CommandContext
from recorder.extras import load_extra

RUN = "cli.server_startup:run"
PORT_MAX = 65_535


class ServeOptions(Struct, frozen=True):
    host: Annotated[str, "--host ADDRESS"] = "127.0.0.1"
    port: Annotated[int, "--port N", {"min": 0, "max": PORT_MAX}] = 8000
    public: Annotated[str, "--public URL"] = ""
    proxy: Annotated[str, "--proxy ADDRESS"] = ""
    certificate: Annotated[str | None, "--certificate FILE.pem"] = None
    key: Annotated[str | None, "--key FILE.pem"] = None
    delay: Annotated[int, "--delay SECONDS", {"min": 0}] = 0
    timezone: Annotated[str, "--timezone ZONE"] = ""
    published: Annotated[bool, "--published"] = False
    cases: Annotated[str | None, "--cases PATH"] = None
    seal_key: Annotated[str | None, "--seal-key FILE"] = None
    invite: Annotated[bool, "--invite"] = False
    demo: Annotated[bool, "--demo"] = False


DEFAULT = ServeOptions()


def serve(ctx: CommandContext, wanted: ServeOptions = DEFAULT) -> int:
    ended: int = load_extra(RUN, "serve", "serve.extra")(ctx, wanted)
    return ended
