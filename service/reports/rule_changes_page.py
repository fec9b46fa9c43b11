"""List of rule changes, with a form that starts one."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from domain.formats.errors import FormatError
from domain.games import GAMES
from domain.law import rulesets
from domain.law.game import Game
from domain.words import Text, TextError, say
from projections.rulebooks import list_numbers
from recorder.finding.index_queries import list_archived
from service.access import may
from service.addresses import page_url
from service.pages import form_route, page_route, problem_of, redirect, template_page
from service.problems import HttpProblem, http_problem
from service.reports.job_records import Regression
from service.reports.pages import show_job
from service.reports.regress_jobs import start_job, visible_until
from service.requests import Request, Response

REPORTS_SHOWN: Final = 50
DRAFT_MAX: Final = 50_000


class RuleChangeForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Form of a rule change for one game: published rules, options with new values, or a draft. An option with an empty
    value stays as recorded."""

    game: str = ""
    rules: str = ""
    frame: str = ""
    option: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    draft: Annotated[str, Meta(max_length=DRAFT_MAX)] = ""
    base: str = ""


class RuleChangeQuery(Struct, frozen=True, forbid_unknown_fields=True):
    game: str = ""


class OptionField(Struct, frozen=True):
    """An option in the form: its name, its value in the latest version, and its other values in words."""

    key: str
    name: str
    in_force: str
    values: tuple[tuple[str, str], ...]
    number: bool
    given: str


def list_reports(request: Request, query: RuleChangeQuery, body: None) -> Response:
    return _draw_list(request, RuleChangeForm(game=query.game if query.game in GAMES else ""))


def start(request: Request, query: object, body: RuleChangeForm) -> Response:
    try:
        job = start_job(request, _make_task(body), must_change=True)
    except (HttpProblem, TextError, FormatError) as error:
        problem = problem_of(error)
        if problem.status != 400:
            raise
        return replace(_draw_list(request, body, problem.says(request.lang)), status=400)
    return redirect(page_url(request.lang, "r", job.id))


def _make_task(body: RuleChangeForm) -> Regression:
    if len(body.option) != len(body.value):
        raise http_problem("unreadable", Text("job.unpaired"))
    settings = {key: value.strip() for key, value in zip(body.option, body.value, strict=True) if value.strip()}
    return Regression(
        rules=body.rules, game=body.game, frame=body.frame, settings=settings, draft=body.draft, base=body.base
    )


def _count_closed(request: Request, game: Game) -> int:
    return len(list_archived(request.context.search_index, visible_until(request.context), (game.key,)))


def _option_fields(request: Request, game: Game, form: RuleChangeForm) -> list[OptionField]:
    """List every number and option of a game, with the values that can be chosen."""
    options = {option.key: option for option in game.options}
    new_values = dict(zip(form.option, form.value, strict=False))
    fields: list[OptionField] = []
    for number in list_numbers(game, rulesets.values(game.latest)):
        option = options.get(number.key)
        choices = option.values if option is not None else ()
        if number.key == "frame" or (option is not None and not option.numbers and len(choices) < 2):
            continue
        in_force = say(
            "report.in_force",
            request.lang,
            value=game.rulebook.setting(number.key, number.value, request.lang),
            version=tuple(game.versions)[-1],
        )
        words = tuple((value, game.rulebook.setting(number.key, value, request.lang)) for value in choices)
        free = option is None or option.numbers
        name = game.rulebook.word(number.key, request.lang)
        fields.append(OptionField(number.key, name, in_force, words, free, new_values.get(number.key, "")))
    return fields


def _draw_list(request: Request, form: RuleChangeForm, wrong: str = "") -> Response:
    can_start = may(request.session, "run_jobs") and request.context.jobs.has_store_file
    if can_start:
        request.context.search_index.catch_up()
    game = GAMES.get(form.game)
    return template_page(
        request,
        "reports.html",
        say("report.title", request.lang),
        say("report.about", request.lang),
        jobs=[show_job(request, job) for job in request.context.jobs.all()[:REPORTS_SHOWN]],
        asked=asdict(form),
        game=game,
        games=[
            (each.key, each.rulebook.title.say(request.lang), _count_closed(request, each)) for each in GAMES.values()
        ]
        if can_start
        else [],
        versions=[
            (f"{game.key}@{version}", game.rulebook.word(version, request.lang))
            for version in (*game.versions, *game.change_notes)
        ]
        if game is not None
        else [],
        frames=[(frame, game.rulebook.setting("frame", frame, request.lang)) for frame in game.regulations]
        if game is not None
        else [],
        options=_option_fields(request, game, form) if game is not None else [],
        wrong=wrong,
        may_start=may(request.session, "run_jobs"),
        has_store_file=request.context.jobs.has_store_file,
    )


ROUTES: Final = (
    page_route("/r", list_reports, "List regressions, with the form that starts one.", "read_jobs", RuleChangeQuery),
    form_route("/r", start, "Start a regression.", "run_jobs", RuleChangeForm),
)
