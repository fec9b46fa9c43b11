"""Contents of the wheel: every product package, typed, and no development tools. `make wheel` builds it."""

import re

from tools.wheel import ROOT, packages, project

WORKSHOP = {"benchmarks", "fixtures", "tests", "tools"}


def test_every_room_is_installed_and_the_workshop_is_not() -> None:
    rooms = {path.parent.name for path in ROOT.glob("*/*.py")}
    assert set(packages()) == rooms - WORKSHOP


def test_whoever_imports_a_room_gets_its_types() -> None:
    assert [package for package in packages() if not (ROOT / package / "py.typed").is_file()] == []


def test_what_is_built_is_the_newest_release_in_the_change_log() -> None:
    releases = re.findall(r"^## (\d\S*) - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert releases[0] == project()["project"]["version"]
