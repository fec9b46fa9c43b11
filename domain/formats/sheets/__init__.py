"""Score sheets: a match as somebody wrote it down on paper, or from a video, without having seen everything."""

from domain.formats.sheets.lines import (
    OPEN_QUESTION,
    Acted,
    AnyLine,
    ByHand,
    Fact,
    Gap,
    Late,
    Remark,
    played,
    say_line,
    write_sheet,
)
from domain.formats.sheets.reader import Sheet, list_faults, read_sheet
from domain.formats.sheets.reconciling import (
    Answers,
    Difference,
    Kind,
    Part,
    Reconciliation,
    reconcile,
    settle,
    unfit_answer,
)
from domain.formats.sheets.recorded import sheet_of

__all__ = (
    "OPEN_QUESTION",
    "Acted",
    "Answers",
    "AnyLine",
    "ByHand",
    "Difference",
    "Fact",
    "Gap",
    "Kind",
    "Late",
    "Part",
    "Reconciliation",
    "Remark",
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
