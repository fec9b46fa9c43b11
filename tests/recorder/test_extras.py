"""Optional dependencies: a missing one is reported with its extra, as listed in `pyproject.toml`."""

import re
import sys
import tomllib
from typing import get_args

import pytest

from recorder.extras import ADDS, Extra, MissingExtra, load_extra
from tests.cli.forks import ROOT


@pytest.mark.parametrize("extra", get_args(Extra))
def test_an_extra_is_named_by_whatever_it_installs(extra: Extra) -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    packages = {re.split(r"[^\w-]", needed)[0] for needed in listed[extra]}
    assert packages and packages <= set(ADDS[extra])


def test_what_is_there_is_given() -> None:
    assert load_extra("recorder.extras:load_extra", "dask") is load_extra


def test_only_what_the_extra_adds_is_told_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra) as caught:
        load_extra("distributed:Client", "dask")
    assert caught.value.text.say("en") == (
        "a required part is not installed (distributed is missing): pip install 'shinpan[dask]'"
    )
    with pytest.raises(MissingExtra, match="the service is not installed"):
        load_extra("distributed:Client", "dask", "serve.extra")
    with pytest.raises(ModuleNotFoundError):
        load_extra("distributed:Client", "serve")
