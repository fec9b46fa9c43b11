"""Casebooks (`*.cases.toml`): rulings that can be executed."""

from domain.formats.casebook.load import Case, Casebook, Step, load_casebook
from domain.formats.casebook.run import Failure, Report, run_case

__all__ = ("Case", "Casebook", "Failure", "Report", "Step", "load_casebook", "run_case")
