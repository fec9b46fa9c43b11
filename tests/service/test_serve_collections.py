"""Garbage collection of a service is rare, as observed from its own process."""

import json
import subprocess
import sys

import pytest

from tests.service.processes import environment

PROGRAM = """
import asyncio, gc, json
plain, frozen = gc.get_threshold(), gc.get_freeze_count()
from service import server

async def tell(*given):
    print(json.dumps([plain, frozen, gc.get_threshold(), gc.get_freeze_count(), gc.isenabled()]))
    return 0

server._serve = tell
server.serve(None, None, print)
"""


@pytest.mark.process
def test_what_it_began_with_is_not_gone_through_again_and_new_objects_seldom() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], env=environment(), check=True, capture_output=True)
    plain, frozen, served, left_alone, enabled = json.loads(ran.stdout)
    assert enabled, "rings of objects are still let go of"
    assert served[0] > 10 * plain[0] and served[1:] == plain[1:]
    assert frozen == 0 and left_alone > 10_000
