"""The frozen bytes: append-only files of lines `name hex`.

`python -m tests.frozen.frozen` adds a line for each sample that has none or whose encoding changed. Of several lines
with one name, the last is the current encoding, and all must be readable. Never change or remove a line.
"""

from pathlib import Path

from tests.frozen.samples import encode_value, every

HERE = Path(__file__).parent


def load_values(file: str) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    path = HERE / f"{file}.txt"
    for line in path.read_text(encoding="ascii").splitlines() if path.exists() else ():
        name, data = line.split()
        found.setdefault(name, []).append(bytes.fromhex(data))
    return found


def add() -> list[str]:
    """Append missing values and return their names."""
    added: list[str] = []
    for file, samples in every().items():
        before = load_values(file)
        with (HERE / f"{file}.txt").open("a", encoding="ascii") as out:
            for name, value in samples.items():
                if before.get(name, [b""])[-1] != encode_value(value):
                    out.write(f"{name} {encode_value(value).hex()}\n")
                    added.append(f"{file}: {name}")
    return added


if __name__ == "__main__":
    print("\n".join(add()) or "nothing to add")
