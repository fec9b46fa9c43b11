"""Compile the rules with mypyc in a copy of this folder (ADR 44): `python -m tools.compiled`.

Tests run in `build/compiled/tree` as they run here. The wheel next to it holds the usual files and the extensions.
Needs a C compiler and the extra `dev`.
"""

import ast
import base64
import csv
import io
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from mypyc.build import mypycify

from tools.wheel import ROOT, build

COMPILED_FOLDERS = ("domain/table", "domain/law", "domain/parts", "domain/judging", "domain/games")
"""Folders of the modules that decide."""
NATIVE_BASES = frozenset(("Generic", "Table", "Draft", "Live", "Asking", "dict"))
"""Base classes mypyc can compile. It cannot compile a msgspec Struct: a module with one stays interpreted."""
EXCLUDED = frozenset(("lane.py", "invariants", "rendering.py", "showing.py"))
"""Modules that report the lane, check invariants for tests only, or decide nothing."""
LEFT_BEHIND = shutil.ignore_patterns(
    ".git", ".venv", ".ci", "build", "dist", "*.so", "__pycache__", ".*_cache", ".hypothesis", ".demo"
)
CITING_DECORATOR = "implements"
"""Decorator that cites a clause. It returns its argument unchanged, but a compiler cannot know that."""
DATACLASS = "dataclass"
FLAGS = ("-O1", "-fPIC", "-DNDEBUG", "-w", "-pthread")
GROUP = "shinpan"


def compilable(root: Path) -> tuple[str, ...]:
    """Return the modules to compile: those in `COMPILED_FOLDERS` whose classes mypyc can compile."""
    files = (path for folder in COMPILED_FOLDERS for path in (root / folder).rglob("*.py"))
    named = sorted((path.relative_to(root), path) for path in files if path.name != "__init__.py")
    return tuple(short.as_posix() for short, path in named if not EXCLUDED & set(short.parts) and _is_native(path))


def _is_native(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return all(not kind.keywords and NATIVE_BASES.issuperset(map(_name, kind.bases)) for kind in classes)


def _name(base: ast.expr) -> str:
    return ast.unparse(base.value if isinstance(base, ast.Subscript) else base)


def remove_citations(text: str) -> str:
    """Return a module's source with its citing decorators blanked out, so that calls of the functions stay direct."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == CITING_DECORATOR:
                lines[decorator.lineno - 1 : decorator.end_lineno] = [""] * _height(decorator)
    return "\n".join((*lines, ""))


def restore_types(text: str) -> str:
    """Return a module's source with the types of its dataclass fields restored at its end.

    mypyc keeps `tuple` of `tuple[int, ...]` and nothing of a union, so a decoder could not convert such fields.
    """
    tree = ast.parse(text)
    return text + "".join(
        f"vars({kind.name})['__annotations__'].update({_types(kind)})\n"
        for kind in ast.walk(tree)
        if isinstance(kind, ast.ClassDef) and _is_dataclass(kind)
    )


def _types(kind: ast.ClassDef) -> dict[str, str]:
    fields = (node for node in kind.body if isinstance(node, ast.AnnAssign))
    return {ast.unparse(field.target): ast.unparse(field.annotation) for field in fields}


def _is_dataclass(kind: ast.ClassDef) -> bool:
    return any(ast.unparse(decorator).startswith(DATACLASS) for decorator in kind.decorator_list)


def _height(node: ast.expr) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def compile_in(tree: Path, jobs: int) -> None:
    """Build extensions next to the sources of a copy. The sources stay unchanged."""
    before = Path.cwd()
    os.chdir(tree)
    sources = {name: Path(name).read_text(encoding="utf-8") for name in compilable(Path())}
    try:
        for name, text in sources.items():
            Path(name).write_text(restore_types(remove_citations(text)), encoding="utf-8")
        everything = sorted(path.as_posix() for path in Path("domain").rglob("*.py"))
        options = ["--config-file=", f"--python-version={sys.version_info.major}.{sys.version_info.minor}"]
        extensions = mypycify(
            [*options, *everything], only_compile_paths=tuple(sources), multi_file=True, group_name=GROUP
        )
        folders = {source: extension.include_dirs for extension in extensions for source in extension.sources}
        with ThreadPoolExecutor(jobs) as pool:
            objects = dict(zip(folders, pool.map(_compile, folders, folders.values()), strict=True))
        for extension in extensions:
            target = Path(extension.name.replace(".", "/") + sysconfig.get_config_var("EXT_SUFFIX"))
            _link([objects[source] for source in extension.sources], target)
    finally:
        for name, text in sources.items():
            Path(name).write_text(text, encoding="utf-8")
        os.chdir(before)


def _compile(source: str, folders: Sequence[str]) -> str:
    target = str(Path(source).with_suffix(".o"))
    found = [f"-I{folder}" for folder in (sysconfig.get_path("include"), *folders)]
    subprocess.run([*_program("CC"), *FLAGS, *found, "-c", source, "-o", target], check=True)
    return target


def _link(objects: Sequence[str], target: Path) -> None:
    subprocess.run([*_program("LDSHARED"), "-s", *objects, "-o", str(target)], check=True)


def _program(name: str) -> list[str]:
    command = sysconfig.get_config_var(name).split()
    if shutil.which(command[0]) is None:
        raise SystemExit(f"{command[0]}: not installed; the compiled lane needs the C compiler of this Python ({name})")
    return [str(part) for part in command]


def extensions(tree: Path) -> tuple[Path, ...]:
    return tuple(sorted(path.relative_to(tree) for path in tree.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}")))


def add(wheel: Path, tree: Path) -> Path:
    """Replace a wheel with one that includes the extensions, tagged for this Python and platform."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    target = wheel.with_name(wheel.name.replace("py3-none-any", tag))
    with ZipFile(wheel) as pure:
        members = {name: pure.read(name) for name in pure.namelist() if not name.endswith("/RECORD")}
        (record,) = (name for name in pure.namelist() if name.endswith("/RECORD"))
    about = record.replace("RECORD", "WHEEL")
    text = members[about].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    members[about] = text.replace("Tag: py3-none-any", f"Tag: {tag}").encode()
    members |= {path.as_posix(): (tree / path).read_bytes() for path in extensions(tree)}
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, data in (*members.items(), (record, _record(members, record))):
            archive.writestr(name, data)
    wheel.unlink()
    return target


def _record(members: dict[str, bytes], name: str) -> bytes:
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    for path, data in members.items():
        digest = base64.urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
        writer.writerow((path, f"sha256={digest}", len(data)))
    writer.writerow((name, "", ""))
    return rows.getvalue().encode()


def digest(folder: Path) -> tuple[str, dict[str, str]]:
    """Return the lane in which the rules run in a folder, and a digest of fixed matches by game."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.digest"], cwd=folder, check=True, text=True, stdout=subprocess.PIPE
    )
    lane, *games = done.stdout.splitlines()
    return lane, dict(line.split() for line in games)


def main() -> None:
    folder = ROOT / "build" / "compiled"
    shutil.rmtree(folder, ignore_errors=True)
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, ignore=LEFT_BEHIND)
    compile_in(tree, len(os.sched_getaffinity(0)))
    wheel = add(build(folder), tree)
    shutil.rmtree(tree / "build")
    (lane, digests), (tree_lane, tree_digests) = digest(ROOT), digest(tree)
    if (lane, tree_lane) != ("interpreted", "compiled"):
        raise SystemExit(f"expected interpreted here and compiled in {tree}: got {lane} and {tree_lane}")
    if digests != tree_digests:
        raise SystemExit(f"the lanes decide differently: {digests} interpreted, {tree_digests} compiled")
    print(f"{wheel.relative_to(ROOT)}: {len(extensions(tree)) - 1} modules compiled; both lanes decide the same")


if __name__ == "__main__":
    main()
