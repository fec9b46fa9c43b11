"""Build the wheel and try it in a bare environment: `python -m tools.wheel`.

It must hold exactly the product's files. It runs the demo and the Python example of the README in a temporary folder.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
DEMO = ("demo.sh", "blackpoker/matches", "blackpoker/corpus", "blackpoker/rules")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def packages() -> tuple[str, ...]:
    return tuple(project()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])


def product() -> set[str]:
    """Return every file of those packages, data too."""
    files = (path for package in packages() for path in (ROOT / package).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}


def contents(wheel: Path) -> set[str]:
    """Return the files that a wheel installs, without its metadata."""
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def example() -> str:
    return "".join(re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S))


def build(folder: Path) -> Path:
    subprocess.run([*PIP, "wheel", str(ROOT), "--no-deps", "--wheel-dir", str(folder)], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, environment: Path) -> Path:
    """Install into an environment without other packages, even pip. Return the folder of its programs."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    programs = environment / "bin"
    subprocess.run([*PIP, "--python", str(programs / "python"), "install", str(wheel)], check=True)
    return programs


def copy_demo(folder: Path) -> Path:
    """Copy the demo and its matches. Return the path of the script."""
    for name in DEMO:
        source, target = ROOT / "fixtures" / name, folder / "fixtures" / name
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return folder / "fixtures" / "demo.sh"


def run(command: list[str], folder: Path, programs: Path) -> str:
    """Return the output of a command. Raises SystemExit with all output if it fails."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SHINPAN"))}
    env = {**kept, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, cwd=folder, env=env, check=False, text=True, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}\n{command} ended with {done.returncode} outside the repository")
    return done.stdout


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="shinpan-wheel-") as name:
        folder = Path(name)
        wheel = build(folder)
        left_out, added = product() - contents(wheel), contents(wheel) - product()
        if left_out or added:
            raise SystemExit(f"left out of the wheel: {sorted(left_out)}; in it and not ours: {sorted(added)}")
        programs = install(wheel, folder / "environment")
        release = run(["shinpan", "--version"], folder, programs).strip()
        run(["sh", str(copy_demo(folder))], folder, programs)
        run([str(programs / "python"), "-c", example()], folder, programs)
        print(f"{wheel.name}: {len(contents(wheel))} files; {release} runs the demo in a bare environment")


if __name__ == "__main__":
    main()
