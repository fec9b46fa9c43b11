"""The compiled build: its files, and that a run uses the requested build."""

from os import environ
from pathlib import Path
from sysconfig import get_config_var
from textwrap import dedent
from zipfile import ZipFile

from domain.law.lane import LAW_BUILD
from tools.compiled import ROOT, add, compilable, remove_citations, restore_types


def test_the_law_runs_on_the_lane_that_was_asked_for() -> None:
    assert environ.get("SHINPAN_LANE", "interpreted") == LAW_BUILD


def test_what_decides_is_compiled_and_what_is_a_struct_is_not() -> None:
    names = compilable(ROOT)
    for game in ("blackpoker", "grimoire", "dea", "skillbook"):
        assert {f"domain/games/{game}/{room}.py" for room in ("legality", "carry_out", "table_queries")} <= set(names)
    assert {"domain/table/evolve.py", "domain/table/table.py", "domain/law/driver.py", "domain/law/live.py"} <= set(
        names
    )
    assert not {"domain/table/facts.py", "domain/table/things.py", "domain/law/lane.py"} & set(names)
    assert not [name for name in names if "(Struct" in (ROOT / name).read_text(encoding="utf-8")]


def test_a_citation_is_left_out_line_by_line_and_nothing_else() -> None:
    text = dedent("""\
        @implements(C.ONE)
        @cache
        def first() -> int:
            return 1


        @implements(
            C.ONE,
            C.TWO,
        )
        def second() -> int:
            return first()
    """)
    lines = remove_citations(text).splitlines()
    assert len(lines) == len(text.splitlines())
    assert [line for line in lines if line] == [
        "@cache", "def first() -> int:", "    return 1", "def second() -> int:", "    return first()",
    ]  # fmt: skip
    assert lines.index("def second() -> int:") == text.splitlines().index("def second() -> int:")


def test_the_types_of_fields_are_said_behind_what_is_compiled() -> None:
    text = dedent("""\
        @dataclass(slots=True)
        class Kept:
            pieces: Mapping[int, Piece]
            result: Result | None = None


        class Plain:
            number: int
    """)
    assert restore_types(text) == text + (
        "vars(Kept)['__annotations__'].update({'pieces': 'Mapping[int, Piece]', 'result': 'Result | None'})\n"
    )


def test_a_wheel_with_extensions_lists_and_names_them(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    extension = f"domain/law/driver{get_config_var('EXT_SUFFIX')}"
    (tree / extension).parent.mkdir(parents=True)
    (tree / extension).write_bytes(b"compiled")
    pure = tmp_path / "shinpan-9-py3-none-any.whl"
    with ZipFile(pure, "w") as archive:
        archive.writestr("domain/law/driver.py", "law")
        archive.writestr("shinpan-9.dist-info/WHEEL", "Root-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("shinpan-9.dist-info/RECORD", "")
    wheel = add(pure, tree)
    assert "none-any" not in wheel.name and not pure.exists()
    with ZipFile(wheel) as archive:
        said = archive.read("shinpan-9.dist-info/WHEEL").decode()
        listed = archive.read("shinpan-9.dist-info/RECORD").decode().splitlines()
        assert {line.split(",")[0] for line in listed} == set(archive.namelist())
        assert archive.read(extension) == b"compiled"
        assert archive.read("domain/law/driver.py") == b"law"
    assert f"Tag: {wheel.stem.removeprefix('shinpan-9-')}" in said and "Purelib: false" in said
