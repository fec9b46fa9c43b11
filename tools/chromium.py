"""The browser of this machine: where it is, and how tests and benchmarks begin it."""

import os
import shutil

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
VARIABLE = "SHINPAN_CHROMIUM"
"""What names it in the environment, where it is not found by itself."""


def find() -> str | None:
    """Its path; None where there is none."""
    return os.environ.get(VARIABLE) or shutil.which("chromium")
