"""The `import` command on several files and folders: each is atomic, and a refused file does not stop the others."""

from pathlib import Path

import pytest

from tests.cli.runs import contents, fine, inside, shut
from tests.shelves import SHELVES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    matches = tmp_path / "matches"
    (matches / "deeper").mkdir(parents=True)
    for name, under in (("normal", "."), ("disputed", "deeper")):
        (matches / under / f"{name}.spn").write_text(SHELVES["blackpoker"].text(name), encoding="utf-8")
    (matches / "readme.txt").write_text("no record")
    return matches


def test_files_and_folders_are_taken_in_together(tmp_path: Path, folder: Path) -> None:
    where = tmp_path / "a.sqlite"
    ran = fine(where, "import", folder, folder / "normal.spn")
    assert ran.out.split() == ["table-17", "evening-3"] and set(contents(where)) == {"table-17", "evening-3"}
    assert "files imported: 2, refused: 0" in ran.err
    again = fine(where, "import", folder)
    assert again.out == ran.out


def test_a_file_that_is_refused_is_named_and_keeps_no_other_out(tmp_path: Path, folder: Path) -> None:
    where = tmp_path / "a.sqlite"
    (folder / "broken.spn").write_text("{nonsense}")
    (folder / "empty.jsonl").write_text("")
    ran = inside(where, "import", folder)
    assert ran.code == 2 and set(contents(where)) == {"table-17", "evening-3"}
    assert "broken.spn" in ran.err and "empty.jsonl" in ran.err and "files imported: 2, refused: 2" in ran.err
    other = folder / "deeper" / "disputed.spn"
    other.write_text(SHELVES["blackpoker"].text("normal").replace("evening-3", "table-17"), encoding="utf-8")
    before = contents(where)
    clash = inside(where, "import", other, folder / "normal.spn")
    assert clash.code == 2 and "table-17" in clash.err and clash.out == "evening-3\n" and contents(where) == before


def test_a_folder_that_may_not_be_entered_is_named(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut(monkeypatch, "deeper")
    ran = inside(tmp_path / "a.sqlite", "import", folder)
    assert ran.code == 2 and ran.out == "evening-3\n" and str(folder / "deeper") in ran.err


def test_what_cannot_be_several_is_refused_at_once(tmp_path: Path, folder: Path) -> None:
    where = tmp_path / "a.sqlite"
    renamed = inside(where, "import", folder, "--match", "m")
    assert renamed.code == 2 and "--match" in renamed.message
    (tmp_path / "none").mkdir()
    nothing = inside(where, "import", folder, tmp_path / "none")
    assert nothing.code == 2 and nothing.out == "" and not where.exists()


def test_a_file_whose_branch_is_another_match_here_is_not_taken_in_at_all(tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{name}.sqlite" for name in "abc")
    fine(first, "import", SHELVES["blackpoker"].folder / "matches" / "normal.spn")
    fine(first, "branch", "evening-3", "--at", "5", "--match", "b")
    file = tmp_path / "both.spn"
    file.write_text(fine(first, "export", "evening-3", "--as", "judge", "--with-branches").out, encoding="utf-8")
    fine(second, "new", "blackpoker@8.1-lite", "--match", "b")
    ran = inside(second, "import", file)
    assert ran.code == 2 and set(contents(second)) == {"b"} and ran.out == ""
    assert set(fine(third, "import", file).out.split()) == {"evening-3", "b"}
