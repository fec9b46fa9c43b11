"""Score sheets: matches written on paper or from a video, by a person who has not seen everything."""

from domain.formats.sheets.lines import (
    OPEN_QUESTION,
    Acted,
    AnyLine,
    ByHand,
    Late,
    SheetFact,
    SheetGap,
    SheetRemark,
    played,
    say_line,
    write_sheet,
)
from domain.formats.sheets.match_sheet import sheet_of
from domain.formats.sheets.reader import Sheet, list_faults, read_sheet
from domain.formats.sheets.reconciling import (
    Answers,
    Kind,
    Part,
    Reconciliation,
    SheetDifference,
    reconcile,
    settle,
    unfit_answer,
)

__all__ = (
    "OPEN_QUESTION",
    "Acted",
    "Answers",
    "AnyLine",
    "ByHand",
    "SheetDifference",
    "SheetFact",
    "SheetGap",
    "Kind",
    "Late",
    "Part",
    "Reconciliation",
    "SheetRemark",
    "Sheet",
    "list_faults",
    "played",
    "read_sheet",
    "reconcile",
    "say_line",
    "settle",
    "sheet_of",
    "unfit_answer",
    "write_sheet",
)
