"""A server in a process of its own with a tee around it: what it sends is written into a folder as it is sent.

Its clock stands still and its ids are the next number, so that nothing but what it shows tells two of them apart.
"""

import os
import sys
from functools import partial
from itertools import count
from pathlib import Path
from uuid import UUID

from cli import serving, start
from service import running, seeking
from service.app import create_app
from service.house import House
from service.pages import recording
from tests.service.processes import PATIENCE
from tests.service.serving import START
from tests.service.tees import Tee

FOLDER = "TEE_FOLDER"
"""What says in the environment where it is written."""
BEGIN = (sys.executable, "-m", "tests.service.teed")


def main() -> None:
    """Do what the command line says."""
    kept, numbers = Path(os.environ[FOLDER], f"{os.getpid()}.tee"), count(1)
    serving.House = partial(House, clock=lambda: START)
    running.create_app = lambda house: Tee(create_app(house), kept)
    seeking.PATIENCE = PATIENCE  # what was found is told whole, whoever looks at a match just now
    recording.uuid4 = lambda: UUID(int=next(numbers))
    start.main()


if __name__ == "__main__":
    main()
