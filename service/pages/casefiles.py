"""What is taken along from a dispute: its case file for an audience, and the ruling as a case."""

from typing import Final

from msgspec.structs import replace

from service import casefiles
from service.asking import Ask, Nothing, Reply, Route
from service.casefiles import AUDIENCES
from service.pages.paper import page
from service.problems import halt


def take_file(ask: Ask, query: Nothing, body: None) -> Reply:
    """The case file of a dispute, for players or for officials."""
    for audience in AUDIENCES:
        if ask.path["audience"] == audience:
            return casefiles.take_file(ask, audience)
    raise halt("unknown")


def _taken(path: str) -> Route:
    """Whoever takes a case file along lets the law work, and all rulings of the house be read."""
    route = page(path, take_file, "The case file of a dispute for an audience.", "export")
    return replace(route, also=("export_case",), limit="tries")


ROUTES: Final = (_taken("/m/{match:str}/disputes/{n:str}/casefile/{audience:str}"),)
