"""How seldom a service looks for garbage, as far as a process of its own can tell."""

import json
import subprocess
import sys

PROGRAM = """
import asyncio, gc, json
from service import running

async def tell(*given):
    print(json.dumps({"after": gc.get_threshold(), "left alone": gc.get_freeze_count(), "goes on": gc.isenabled()}))
    return 0

running._serve = tell
running.serve(None, None, print)
"""


def test_what_it_began_with_is_not_gone_through_again_and_new_objects_seldom() -> None:
    plain = json.loads(
        told("import gc, json; print(json.dumps({'after': gc.get_threshold(), 'of': gc.get_freeze_count()}))")
    )
    served = json.loads(told(PROGRAM))
    assert served["goes on"], "rings of objects are still let go of"
    assert served["after"][0] > 10 * plain["after"][0] and served["after"][1:] == plain["after"][1:]
    assert plain["of"] == 0 and served["left alone"] > 10_000


def told(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
