"""The Chromium of this machine, for tests and benchmarks."""

import os
import shutil

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
VARIABLE = "SHINPAN_CHROMIUM"
"""Environment variable with the path of Chromium, if it is not on PATH."""


def find() -> str | None:
    return os.environ.get(VARIABLE) or shutil.which("chromium")
