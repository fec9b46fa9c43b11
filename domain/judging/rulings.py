"""Findings and rejudged verdicts of a whole record, in the form that a case states."""

from collections.abc import Iterable, Sequence
from typing import get_args

from domain.formats.casebook.load import Rejudged
from domain.formats.casebook.rulings import CaseRuling, Rulings
from domain.formats.errors import FormatError
from domain.judging.audit import FindingKind, audit
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.target import RulesTarget, rules_for
from domain.judging.rejudging.verdict import KINDS
from domain.law.clause import Clause
from domain.law.entries import Entry, opened_of
from domain.law.game import Game
from domain.law.rulesets import RulesetError, load


def _list_findings(game: Game, entries: Sequence[Entry], rules: object) -> Iterable[tuple[int, str, Clause]]:
    return [(finding.entry, finding.kind, finding.clause) for finding in audit(game, entries, rules).findings]


def _rejudge(game: Game, entries: Sequence[Entry], wanted: Rejudged) -> CaseRuling:
    target = RulesTarget(game=game.key, version=wanted.version, frame=wanted.frame, settings=dict(wanted.set))
    try:
        rules = rules_for(target, game, load(game, opened_of(entries).rules))
    except RulesetError as error:
        raise FormatError(error.text) from None
    verdict = rejudge(game, entries, rules)
    first = 0 if verdict.first is None else verdict.first.entry
    return CaseRuling(verdict.kind, verdict.entry or first, verdict.clause)


RULINGS = Rulings(_list_findings, _rejudge, get_args(FindingKind), KINDS)
