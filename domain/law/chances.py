"""What chance may answer, each outcome once: for whoever goes through all of them."""

from domain.law.law import Law
from domain.law.offers import Below
from domain.law.slots import Action
from domain.table.table import Table


def outcomes(law: Law, table: Table, most: int) -> tuple[Action, ...]:
    """The outcomes of chance, each once; one more than `most` where there are more."""
    known: dict[Action, None] = {}
    script: list[int] = []
    while len(known) <= most:
        sizes: list[int] = []
        action = law.chance(table, _scripted(script, sizes))
        if action is not None:
            known[action] = None
        script = [*script, *[0] * (len(sizes) - len(script))][: len(sizes)]
        while script and script[-1] + 1 >= sizes[len(script) - 1]:
            script.pop()
        if not script:
            break
        script[-1] += 1
    return tuple(known)


def _scripted(script: list[int], sizes: list[int]) -> Below:
    def below(n: int) -> int:
        place = len(sizes)
        sizes.append(n)
        return script[place] if place < len(script) else 0

    return below
