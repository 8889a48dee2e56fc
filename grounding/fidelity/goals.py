"""Whether goals that a model wrote itself are faithful to their text, as far as goals can show it.

A goal says nothing of the words it comes from, so this knows less than the check of meanings: robots,
negations, how many, and symbols where nothing is described by what lies near it. Orders are in no goal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from commonground.grounding.fidelity.negation import negators
from commonground.grounding.fidelity.robots import is_named
from commonground.grounding.fidelity.symbols import Symbol, symbols_in, symbols_said
from commonground.grounding.language.tokens import Token, tokenize
from commonground.planning.pddl import And, Formula, Not, Or, atoms

_SHARED = frozenset(
    ["all", "both", "each", "every", "everybody", "everyone", "other", "others", "rest", "team", "robots",
     "one", "any", "anyone", "somebody", "someone", "together", "you"]
)  # fmt: skip
"""Words that may mean robots that are not named."""
_PLACING = frozenset(
    ["nearest", "closest", "farthest", "furthest", "near", "next", "beside", "by", "around", "between",
     "within", "from", "of", "left", "right", "behind", "in", "inside", "on"]
)  # fmt: skip
"""Words after which a symbol may only say where something else is."""
_LENGTHS = frozenset(["m", "meter", "meters", "metre", "metres", "cm", "feet", "foot", "ft"])


def unfaithful_goals(
    goals: Mapping[str, Formula], text: str, robots: Sequence[str]
) -> Iterator[str]:
    """Yield what is wrong with goals for a text, each in a sentence."""
    tokens = tokenize(text)
    words = frozenset(token.text for token in tokens)
    named = {name for name in robots if is_named(name, text)}
    excluding = negators(text)
    found = {arg for goal in goals.values() for atom in atoms(goal) for arg in atom.args}
    yield from _wrong_robots(goals, named, words, may_lack=bool(excluding))
    if not words & _PLACING:
        yield from _lost_symbols(tokens, found)
    if excluding and not any(map(_negations, goals.values())) and named <= goals.keys():
        yield f"the text says '{excluding[0]}', and nothing is excluded"
    most = max(_counts(tokens), default=0)
    if most > len(found):
        yield f"the text speaks of {most}, and there are {len(found)}"


def _wrong_robots(
    goals: Mapping[str, Formula], named: set[str], words: frozenset[str], *, may_lack: bool
) -> Iterator[str]:
    if named and not words & _SHARED:
        for name in sorted(goals.keys() - named):
            yield f"the text does not name the robot {name}"
    if not may_lack:  # not Spot but Husky
        for name in sorted(named - goals.keys()):
            yield f"the text names the robot {name}, which has no goal"


def _lost_symbols(tokens: Sequence[Token], found: set[str]) -> Iterator[str]:
    for symbol in symbols_said(tokens):
        if not any(_is(symbol, arg) for arg in found):
            yield f"the text names {symbol}, which is left out"


def _is(symbol: Symbol, arg: str) -> bool:
    return any(symbol.is_like(one) for one in symbols_in(arg))


def _counts(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield how many things the text speaks of; lengths and numbers of places are no such counts."""
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        counts = not token.text[0].isdigit() or after.endswith("s")
        if token.kind == "number" and counts and after not in _LENGTHS:
            yield int(token.value)


def _negations(goal: Formula) -> int:
    """Return how many parts of a goal say that something is not so."""
    if isinstance(goal, Not):
        return 1
    return sum(map(_negations, goal.parts)) if isinstance(goal, And | Or) else 0
