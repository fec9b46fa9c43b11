"""Keyboard keys for the verbs of a game."""

from string import ascii_lowercase, digits

from domain.law.game import Game


def verb_keys(game: Game) -> dict[str, str]:
    """Return one stable key per verb: the game's choice, an initial, a letter of the verb, or any free key.

    Verbs that are terms of the game (a capital in English) choose first, answers to questions last, because questions
    prompt for them.
    """
    rules = next(iter(game.versions.values()))
    answer_verbs = {answer_to(game, kind.name) for kind in game.schema(rules).kinds if kind.lanes == ("asked",)}
    unoffered = set(game.other_verbs.values())
    verbs = [str(action.__struct_config__.tag) for action in game.action_types if action not in unoffered]
    verbs.sort(key=lambda verb: not game.rulebook.word(verb, "en")[:1].isupper())
    keys = dict(game.display.keys)
    for group in (
        [verb for verb in verbs if verb not in answer_verbs],
        [verb for verb in verbs if verb in answer_verbs],
    ):
        for candidates in (_initials, _letters, lambda _: ascii_lowercase + digits):
            for verb in group:
                if verb not in keys:
                    free = next((key for key in candidates(verb) if key not in keys.values()), "")
                    keys |= {verb: free} if free else {}
    return keys


def answer_to(game: Game, question: str) -> str:
    return game.display.answers.get(question, question)


def _initials(verb: str) -> str:
    *words, last = filter(None, verb.split("_"))
    return "".join(word[0] for word in (last, *words))


def _letters(verb: str) -> str:
    *words, last = verb.split("_")
    return "".join(letter for word in (last, *words) for letter in word if letter in ascii_lowercase)
