"""Whether a model's goal is faithful to its command: names, things, negations and order are in it.

What the offline reader makes of the same command is a witness: what it hears as well is not made up, and
what it leaves out may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from commonground.grounding.fidelity.negation import negators
from commonground.grounding.fidelity.order import orders
from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds, spaced
from commonground.planning.pddl import Atom
from commonground.planning.pddl.strata import literals

_MOST_WORDS = 3


def unfaithful(
    wish: Wish, text: str, graph: HouseGraph, kinds: Kinds, witness: Wish | None
) -> list[str]:
    """Return what is wrong with what a model takes a command for, each in a sentence."""
    heard = None if witness is None else _names(witness)
    return [
        *_left_out(wish, text, graph, kinds, heard),
        *_made_up(wish, text, graph, kinds, heard),
        *_lost_words(wish, text, witness),
        *_turned_round(wish, text, witness),
        *([] if witness is not None else _lost_robots(text, graph)),
    ]


def _left_out(
    wish: Wish, text: str, graph: HouseGraph, kinds: Kinds, heard: set[str] | None
) -> Iterator[str]:
    """Yield what the command speaks of and the goal does not, unless the witness does not either."""
    types = graph.types()
    held = _names(wish)
    kept = held | {types[name] for name in held if name in types}
    for name in _named(text, types):
        if name not in held and (heard is None or name in heard):
            yield f"the command names {name}, which is left out"
    for words, meant in _spoken(text, kinds).items():
        if not meant & kept and (heard is None or meant & heard):
            yield f"the command speaks of '{words}', which is left out"


def _made_up(
    wish: Wish, text: str, graph: HouseGraph, kinds: Kinds, heard: set[str] | None
) -> Iterator[str]:
    """Yield what the goal names and neither the command nor the witness does; none without a witness.

    Vague commands are what a model is asked for: of these nobody can say what is made up.
    """
    if heard is None:
        return
    types = graph.types()
    known = heard.union(*_spoken(text, kinds).values(), _named(text, types))
    known |= {types[name] for name in known if name in types}
    for name in sorted(_names(wish) - known):
        if types.get(name) not in known:
            yield f"the command says nothing of {name}"


def _lost_words(wish: Wish, text: str, witness: Wish | None) -> Iterator[str]:
    """Yield the negations and orders of a command that nothing in the wish stands for."""
    excluded = any(not wanted for _, wanted in _literals(wish))
    if negators(text) and not (excluded or wish.spared or wish.barred):
        yield f"the command says '{negators(text)[0]}', and nothing is excluded"
    steps = sum(1 for _ in literals(wish.goal))
    in_order = bool(wish.before) or (witness is not None and not witness.before)
    if orders(text) and steps > 1 and not in_order:
        yield f"the command says '{orders(text)[0]}', and nothing is listed under before"


def _turned_round(wish: Wish, text: str, witness: Wish | None) -> Iterator[str]:
    """Yield what the wish excludes and the command does not, or the other way round."""
    heard = set() if witness is None else set(_literals(witness))
    if not negators(text):
        for atom, wanted in _literals(wish):
            if not wanted and (atom, False) not in heard:
                yield f"the command excludes nothing, and (not {atom}) does"
    for atom, wanted in _literals(wish):
        if (atom, not wanted) in heard and (atom, wanted) not in heard:
            yield f"the command says the opposite of {atom if wanted else f'(not {atom})'}"


def _literals(wish: Wish) -> Iterator[tuple[Atom, bool]]:
    for formula in (wish.goal, *wish.before):
        yield from literals(formula)


def _lost_robots(text: str, graph: HouseGraph) -> Iterator[str]:
    for robot in graph.robots():
        if _is_named(robot, text):
            yield f"the command names {robot}, and a goal cannot say who does what"


def _names(wish: Wish) -> set[str]:
    """Return what the goals of a wish name, and what is not to be touched."""
    found = {name for formula in (wish.goal, *wish.before) for name in words_of(formula)}
    return found | {fact.subject for fact in wish.spared} | {fact.object for fact in wish.barred}


def _named(text: str, types: Mapping[str, str]) -> list[str]:
    """Return the things that a text calls by their names."""
    return [name for name in types if _is_named(name, text)]


def _is_named(name: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))


def _spoken(text: str, kinds: Kinds) -> dict[str, set[str]]:
    """Return the phrases of a text that are words for types, with all that each may mean."""
    meant: dict[str, set[str]] = {}
    for name, kind in kinds.types.items():
        for called in {*kind.words, spaced(name)}:
            meant.setdefault(called, set()).update((name, f"{name}Sliced"))
    words = re.findall(r"[a-z]+", text.lower())
    found: dict[str, set[str]] = {}
    at = 0
    while at < len(words):
        for size in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + size])
            known = meant.get(phrase) or meant.get(_singular(phrase))
            if known:
                found[phrase] = known
                at += size - 1
                break
        at += 1
    return found


def _singular(phrase: str) -> str:
    return re.sub(r"(?<=[sxzh])es$|s$", "", phrase)
