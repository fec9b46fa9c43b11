"""Check how Shinpan is written: `python -m tools.prose` counts breaches of STYLE.md by package, against a budget.

`--list PACKAGE` prints each breach. `--lower` writes today's counts where they are below the budget. `prose.toml` holds
the budgets, the words to avoid, and the exceptions, each with its reason.
"""

import ast
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

ROOT: Final = Path(__file__).parents[1]
CONFIG: Final = ROOT / "tools" / "prose.toml"
MESSAGES: Final = ROOT / "domain" / "words" / "messages.toml"
WORDS_MAX, PARAMETERS_MAX, SUBJECT_MAX = 25, 6, 65
SUBJECT: Final = re.compile(r"[a-z][\w. ,/&-]*: [a-z`].*")
SENTENCE: Final = re.compile(r"(?<=[.;:!?])\s+|\n\s*\n|\n\s*(?=[-*|#>]|\d+\.)")
CODE: Final = re.compile(r"```.*?```|`[^`]*`|\[[^\]]*\]\([^)]*\)|https?://\S+|<!--.*?-->", re.S)
PLAIN_WORD: Final = re.compile(r"[A-Za-z][\w'-]*")
CLAUSES: Final = "clauses.py"
GAME: Final = re.compile(r"domain/games/(\w+)/")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class FalseAlarm(Struct, frozen=True, forbid_unknown_fields=True):
    """A breach to ignore: its name as printed, and the reason."""

    name: str
    reason: str


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Configuration of the check.

    `packages` are the folders of code. `budget` is the number of breaches allowed for each, and for `docs`, `messages`
    and `commits`. `since` is the commit after which subjects count.
    """

    packages: tuple[str, ...]
    since: str
    first_words: tuple[str, ...]
    avoid: tuple[str, ...]
    participles: tuple[str, ...]
    budget: dict[str, int]
    exceptions: tuple[FalseAlarm, ...] = ()


class Breach(Struct, frozen=True, order=True):
    """A breach of the style: package, file, line, the name it concerns, and the rule."""

    package: str
    file: str
    line: int
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name}: {self.what}"


@cache
def config() -> Config:
    return msgspec.toml.decode(CONFIG.read_bytes(), type=Config)


def find_breaches() -> Iterator[Breach]:
    excepted = {each.name for each in config().exceptions}
    found = (*_code_breaches(), *_message_breaches(), *_doc_breaches(), *_commit_breaches())
    return (breach for breach in found if breach.name not in excepted)


def count_breaches() -> dict[str, int]:
    counted = Counter(breach.package for breach in find_breaches())
    return {package: counted[package] for package in config().budget}


def main() -> None:
    match sys.argv[1:]:
        case ["--list", package] if package in config().budget:
            for breach in sorted(find_breaches()):
                if breach.package == package:
                    print(breach)
        case ["--lower"]:
            text = CONFIG.read_text(encoding="utf-8")
            for package, count in count_breaches().items():
                lower = min(count, config().budget[package])
                text = re.sub(rf"(?m)^{package} = \d+$", f"{package} = {lower}", text)
            CONFIG.write_text(text, encoding="utf-8")
        case []:
            counts = count_breaches()
            for package, count in counts.items():
                print(f"{package:12} {count:5} of {config().budget[package]}")
            over = [package for package, count in counts.items() if count > config().budget[package]]
            if over:
                sys.exit(f"more breaches than the budget: {', '.join(over)}; see python -m tools.prose --list PACKAGE")
        case _:
            sys.exit(f"usage: python -m tools.prose [--list PACKAGE | --lower]; packages: {', '.join(config().budget)}")


# -- code -------------------------------------------------------------------------------------------------------------


def _code_breaches() -> Iterator[Breach]:
    classes: dict[str, str] = {}
    for package in config().packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            file = str(path.relative_to(ROOT))
            if path.name == CLAUSES:
                continue  # made from the rulebook
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for line, name, what in _module_breaches(path, tree):
                yield Breach(package, file, line, name, what)
            for node in ast.walk(tree) if package != "tests" else ():
                if isinstance(node, ast.ClassDef) and (first := classes.setdefault(_scope(file, node), file)) != file:
                    yield Breach(package, file, node.lineno, node.name, f"class of this name in {first} too")


def _scope(file: str, node: ast.ClassDef) -> str:
    """Return the name that must be unique. Each game may have its `Card`, `Attack` or `Rules`."""
    game = GAME.match(file)
    return node.name if game is None else f"{game[1]}.{node.name}"


def _module_breaches(path: Path, tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    module = path.stem
    if module in config().participles:
        yield 1, module, "participle or adverb as the name of a module"
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
            if node.name.strip("_").lower() in config().participles:
                yield node.lineno, node.name, "participle or adverb as a name"
            if isinstance(node, Function) and (many := _parameters(node)) > PARAMETERS_MAX:
                yield node.lineno, node.name, f"{many} parameters"
        if isinstance(node, Function | ast.ClassDef | ast.Module):
            name = f"{module}.{getattr(node, 'name', '')}".rstrip(".")
            if (docstring := ast.get_docstring(node)) is not None:
                yield from ((node.body[0].lineno, name, what) for what in text_breaches(docstring, first=True))
            for before, after in zip(node.body, node.body[1:], strict=False):
                if (text := _constant_docstring(before, after)) is not None:
                    yield from ((after.lineno, name, what) for what in text_breaches(text, first=True))
    with path.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type == tokenize.COMMENT and not re.match(r"#\s*(type:|noqa|fmt:|--|pragma)", token.string):
                yield from ((token.start[0], module, what) for what in text_breaches(token.string.lstrip("# ")))


def _parameters(node: Function) -> int:
    """Return the number of parameters; 0 for commands and tests, whose parameters are options and fixtures."""
    named = node.args
    first = next((each.annotation for each in named.args), None)
    is_command = isinstance(first, ast.Name) and first.id == "CommandContext" and not node.name.startswith("_")
    if is_command or node.name.startswith("test_"):
        return 0
    given = [*named.posonlyargs, *named.args, *named.kwonlyargs]
    return sum(each.arg not in ("self", "cls") for each in given)


def _constant_docstring(before: ast.stmt, after: ast.stmt) -> str | None:
    if not (isinstance(before, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr)):
        return None
    value = after.value
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


# -- prose ------------------------------------------------------------------------------------------------------------


@cache
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.I)


def text_breaches(text: str, *, first: bool = False) -> Iterator[str]:
    """Yield the breaches in a text. `first` marks a docstring, whose first words count."""
    bare = CODE.sub("`x`", text)
    if first:
        if (opening := _any_of(config().first_words).match(bare)) is not None:
            yield f"begins with {opening[0]!r}"
        if re.search(r"\w\?(\s|$)", bare):
            yield "asks a question"
    for words in sorted({found.lower() for found in _any_of(config().avoid).findall(bare)}):
        yield f"says {words!r}"
    longest = max((len(PLAIN_WORD.findall(sentence)) for sentence in SENTENCE.split(bare)), default=0)
    if longest > WORDS_MAX:
        yield f"a sentence of {longest} words"


def _message_breaches() -> Iterator[Breach]:
    messages = msgspec.toml.decode(MESSAGES.read_bytes(), type=dict[str, dict[str, str]])
    lines = {line.split('"')[1]: number for number, line in enumerate(_lines(MESSAGES), 1) if line.startswith('"')}
    for key, words in messages.items():
        for what in text_breaches(words["en"]):
            yield Breach("messages", str(MESSAGES.relative_to(ROOT)), lines.get(key, 0), key, what)


def _doc_breaches() -> Iterator[Breach]:
    for path in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))):
        if path.name.endswith(".ja.md") or path.name in ("CHANGELOG.md", "cli.md", "casebook-words.md"):
            continue  # Japanese, the past, and generated pages
        file = str(path.relative_to(ROOT))
        for number, paragraph in _paragraphs(path):
            for what in text_breaches(paragraph):
                yield Breach("docs", file, number, path.name, what)


def _paragraphs(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a page outside code, each with the number of its first line."""
    fenced, lines, start = False, list[str](), 1
    for number, line in enumerate((*_lines(path), ""), 1):
        is_fence = line.startswith("```")
        fenced ^= is_fence
        is_code = is_fence or fenced or (not lines and line.startswith("    "))
        if line.strip() and not is_code:
            start = start if lines else number
            lines.append(line)
        elif lines:
            yield start, "\n".join(lines)
            lines = []


def _commit_breaches() -> Iterator[Breach]:
    log = ("git", "log", "--no-merges", "--format=%h %s", f"{config().since}..HEAD")
    done = subprocess.run(log, check=False, cwd=ROOT, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > SUBJECT_MAX or not SUBJECT.fullmatch(subject):
            yield Breach("commits", "git log", 0, commit, subject)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
