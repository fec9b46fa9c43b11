"""Tests in a browser are left out where there is none; where one is required, as in CI, that is a failure."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.processes import ROOT, environment
from tools import chromium

pytestmark = pytest.mark.deep


def test_there_is_a_browser() -> None:
    if chromium.find() is None:
        pytest.skip(f"apt-get install chromium fonts-noto-cjk, or {chromium.VARIABLE}=PATH")


@pytest.mark.parametrize(("required", "code", "said"), [("", 0, "1 skipped"), ("required", 1, "1 failed")])
def test_no_test_is_left_out_where_a_browser_is_required(required: str, code: int, said: str) -> None:
    test = f"{Path(__file__).relative_to(ROOT)}::{test_there_is_a_browser.__name__}"
    env = environment(PATH="", SHINPAN_BROWSER=required)
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == code and said in done.stdout + done.stderr, done.stdout
