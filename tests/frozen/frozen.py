"""The frozen bytes: files of lines `name hex`, to which lines are only ever added.

`python -m tests.frozen.frozen` adds a line for each sample that has none yet or is written otherwise by now; of several
lines of one name the last is what is written, and all of them must be read. A line is never changed or taken away.
"""

from pathlib import Path

from tests.frozen.samples import encoded, every

HERE = Path(__file__).parent


def load_values(file: str) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    path = HERE / f"{file}.txt"
    for line in path.read_text(encoding="ascii").splitlines() if path.exists() else ():
        name, data = line.split()
        found.setdefault(name, []).append(bytes.fromhex(data))
    return found


def add() -> list[str]:
    """Freeze what is not frozen yet; the names of what was added."""
    added: list[str] = []
    for file, samples in every().items():
        before = load_values(file)
        with (HERE / f"{file}.txt").open("a", encoding="ascii") as out:
            for name, value in samples.items():
                if before.get(name, [b""])[-1] != encoded(value):
                    out.write(f"{name} {encoded(value).hex()}\n")
                    added.append(f"{file}: {name}")
    return added


if __name__ == "__main__":
    print("\n".join(add()) or "nothing to add")
