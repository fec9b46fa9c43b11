"""Startup of the service: checks of its options, and its start messages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from socket import gaierror
from ssl import SSLError
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from cli.context import CommandContext, quote_input
from cli.drawing import is_terminal
from cli.evidence.seals import read_signer
from cli.many.case import casebooks, load
from cli.problems import ENDED
from cli.serve import ServeOptions
from domain.formats.casebook.load import SUFFIX
from domain.games import GAMES
from domain.words import LANGS
from domain.words.foreign import explain_system_error
from projections.moments import stamp
from recorder.evidence.notes import Signer
from recorder.files import create_private
from recorder.keyring import Holder, Keyring
from recorder.store import Store
from service.access import Role
from service.capacity import FILES_MIN, STREAMS_MAX, TooFewFiles, request_capacity
from service.context import AppContext
from service.demo import Players, fill
from service.server import ListenAddress, check_certificate, listen, serve
from service.settings import Settings

_PUBLIC = re.compile(r"https?://[^/\s?#@]+/?")
SECOND_MS = 1000


def run(ctx: CommandContext, wanted: ServeOptions) -> int:
    listening = _listening(ctx, wanted)
    settings = _settings(ctx, wanted, _public(ctx, wanted.public) or listening.url)
    signer = read_signer(ctx, wanted.seal_key)
    with _open_context(ctx, settings, signer, demo=wanted.demo) as context:
        invited: list[Role] = ["operator"] if wanted.invite or context.keys.is_new() else []
        invited += ["head"] if wanted.demo else []
        links = {role: context.invite(Holder(role=role, name=role)).url for role in invited}
        files = {} if is_terminal(ctx.screen.out) else _write_links(ctx, context, links)
        for game in GAMES.load_all():
            ctx.warn(game.text.say(ctx.lang))
        if listening.is_readable_on_network and not context.settings.secure:
            ctx.warn(ctx.say("serve.no_tls"))
        ended = serve(context, listening, lambda: _print_startup(ctx, context, links, files))
    return ENDED + ended


def _listening(ctx: CommandContext, wanted: ServeOptions) -> ListenAddress:
    if (wanted.certificate is None) != (wanted.key is None):
        raise ctx.problem("serve.both")
    files = [Path(file) for file in (wanted.certificate, wanted.key) if file is not None]
    try:
        if files:
            check_certificate(*files)
    except SSLError as error:
        raise ctx.problem("serve.certificate", file=files[0], secret=files[1], why=error.reason or "SSL") from None
    except OSError as error:
        raise ctx.problem(
            "serve.certificate", file=files[0], secret=files[1], why=explain_system_error(error)
        ) from None
    try:
        return listen(wanted.host, wanted.port, *files)
    except (gaierror, UnicodeError):
        raise ctx.problem("serve.host", host=quote_input(wanted.host)) from None
    except OSError as error:
        raise ctx.problem(
            "serve.listen", host=quote_input(wanted.host), port=wanted.port, why=explain_system_error(error)
        ) from None


def _public(ctx: CommandContext, url: str) -> str:
    if url and _PUBLIC.fullmatch(url) is None:
        raise ctx.problem("serve.public", url=quote_input(url))
    return url.rstrip("/")


def _proxy(ctx: CommandContext, address: str) -> str:
    with suppress(ValueError):
        return str(ip_address(address)) if address else ""
    raise ctx.problem("serve.proxy", address=quote_input(address))


def _settings(ctx: CommandContext, wanted: ServeOptions, public: str) -> Settings:
    try:
        capacity = request_capacity()
    except TooFewFiles as error:
        raise ctx.problem("serve.files", files=error.files, least=FILES_MIN) from None
    if capacity.streams < STREAMS_MAX:
        ctx.warn(ctx.say("serve.few", streams=capacity.streams))
    return Settings(
        store=ctx.where,
        public=public,
        proxy=_proxy(ctx, wanted.proxy),
        delay=wanted.delay * SECOND_MS,
        timezone=_timezone(ctx, wanted.timezone),
        published=wanted.published,
        cases=_cases(ctx, wanted.cases),
        connections_max=capacity.connections,
        streams_max=capacity.streams,
    )


def _timezone(ctx: CommandContext, name: str) -> str:
    zone = name or ctx.project.timezone
    ctx.read_zone(zone)
    return zone


def _cases(ctx: CommandContext, named: str | None) -> str:
    if named is not None:
        for path in casebooks(ctx, [named], []):
            load(ctx, path)
        return named
    default_folder = Path("fixtures")
    return str(default_folder) if any(default_folder.glob(f"*/cases/*{SUFFIX}")) else ""


@contextmanager
def _open_context(
    ctx: CommandContext, settings: Settings, signer: Signer | None, *, demo: bool
) -> Iterator[AppContext]:
    if not demo:
        ctx.require_store("client.no_serve")
        with _open_store(settings, signer) as context:
            yield context
        return
    with (
        TemporaryDirectory(prefix="shinpan-demo-") as folder,
        _open_store(replace(settings, store=str(Path(folder, "demo.sqlite"))), signer) as context,
    ):
        ctx.hint("serve.filling")
        with Players(context, fill(context.store, context.clock())) as players:
            context.drain_callbacks.append(players.close)
            yield context


@contextmanager
def _open_store(settings: Settings, signer: Signer | None) -> Iterator[AppContext]:
    store = Store.open(settings.store)
    try:
        keys = Keyring.open_for_store(store.local_prefix)
        keys.save_public_address(settings.public)
        context = AppContext(store, keys, replace(settings, store=store.name), signer=signer)
    except Exception:
        store.close()
        raise
    try:
        yield context
    finally:
        context.close()


def _write_links(ctx: CommandContext, context: AppContext, links: dict[Role, str]) -> dict[Role, Path]:
    """Write each invitation link to a file that only its owner can read. A link printed without a terminal would stay
    in a log. Raises CommandError."""
    files = {role: Path(f"{context.store.local_prefix}.{role}-invitation") for role in links}
    for role, file in files.items():
        with ctx.convert_os_errors("cli.unwritable", str(file)):
            file.unlink(missing_ok=True)
            create_private(file, f"{links[role]}\n".encode())
    return files


def _print_startup(ctx: CommandContext, context: AppContext, links: dict[Role, str], files: dict[Role, Path]) -> None:
    public = context.settings.public
    for lang in LANGS:
        ctx.screen.line(f"  {public}/{lang}/floor")
    until = stamp(
        context.clock() + context.settings.invitation_ms, "%Y-%m-%d %H:%M %Z", context.settings.zone or ctx.zone
    )
    for role, link in links.items():
        key = "serve.invited_file" if role in files else "serve.invited"
        ctx.print_message(key, role=ctx.say(f"role.{role}"), until=until)
        ctx.screen.line(f"  {files.get(role, link)}")
    ctx.print_message("serve.serves", store=context.store.name)
    ctx.screen.out.flush()
