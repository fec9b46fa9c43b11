"""Times of day as HTML: in the event's time zone, or in UTC until the browser rewrites them in its own."""

from datetime import UTC, tzinfo
from typing import Final, Literal

from markupsafe import Markup
from msgspec import Struct

from projections.moments import stamp
from service.drawing.markup import NOTHING, element

Form = Literal["day", "date", "minute", "second", "log"]
FORMS: Final[dict[Form, str]] = {
    "day": "%Y-%m-%d",
    "date": "%Y-%m-%d %H:%M %Z",
    "minute": "%H:%M %Z",
    "second": "%H:%M:%S %Z",
    "log": "%H:%M:%S",
}
"""strftime format of each form. The script that rewrites times uses the same names."""
MACHINE: Final = "%Y-%m-%dT%H:%M:%SZ"


class Times(Struct, frozen=True):
    """Time zone of the written times. Without one, the browser decides."""

    zone: tzinfo | None = None

    def write(self, at: int, form: Form) -> Markup:
        """Return a time (milliseconds since 1970) as an element; empty for 0 or a time out of range."""
        words = stamp(at, FORMS[form], self.zone or UTC)
        if not words:
            return NOTHING
        return element("time", "", words, datetime=stamp(at, MACHINE), data_form="" if self.zone else form)


BROWSER_TIMES: Final = Times()
