"""How many of a kind a command speaks of, and wishes that are about fewer or more of them."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, Demands, Named
from commonground.grounding.problem_writer.wishes.nouns import MEASURES
from commonground.grounding.words.nouns import singulars
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.numbers import count_of
from commonground.planning.pddl import Or
from commonground.planning.pddl.logic import conjuncts
from commonground.planning.pddl.strata import literals

_EVERY = frozenset(listed("all both every each"))
_ONE = frozenset(listed("a an one either any"))
_EXCEPT = frozenset(listed("except excluding besides but apart other"))


def miscounted(said: Demands, wish: Wish, *, fewer: bool) -> Iterator[str]:
    """Yield the things of which a wish is about fewer than were meant, or about more."""
    is_so = _is_fewer if fewer else _is_more
    yield from (
        said.said(one)
        for one in said.named
        if not said.acts.told[one.start] and is_so(said, one, wish)
    )


def _is_fewer(said: Demands, one: Named, wish: Wish) -> bool:
    """Return whether a wish is about fewer things of a noun than were meant."""
    meant, total = _meant(said, one), len(said.home.things(sorted(one.types)))
    if meant is None or total < 2 or (meant == 0 and not _EXCEPT.isdisjoint(said.words)):
        return False
    got = _amount(said, one, wish)
    if not got:
        return meant == 0 and 0 < len(_places(one, wish, said)) < total
    return got < (total if meant == 0 else min(meant, total))


def _is_more(said: Demands, one: Named, wish: Wish) -> bool:
    """Return whether a wish is about more things of a noun than one that was meant, or about any."""
    return _meant(said, one) == 1 and _amount(said, one, wish) > 1


def _places(one: Named, wish: Wish, said: Demands) -> set[str]:
    """Return the places of a noun where a wish puts things, each only if all of it is meant."""
    each = [atom for part in conjuncts(wish.goal) for atom, _ in literals(part)]
    named = said.words[one.start - 1 : one.start] == ["each"]
    return {
        a.args[0]
        for a in each
        if named and a.predicate == "contains" and said.home.type_of(a.args[0]) in one.types
    }


def _amount(said: Demands, one: Named, wish: Wish) -> int:
    """Return of how many things of a noun the same is wanted, at the most."""
    most = 0
    for goal in (wish.goal, *wish.before):
        alike: dict[tuple[str, str], set[str]] = {}
        for part in conjuncts(goal):
            chosen = part.parts[0] if isinstance(part, Or) else part  # any of them stands for all
            for atom, _ in literals(chosen):
                name, other = atom.args[::-1] if atom.predicate == "contains" else atom.args
                if said.home.type_of(name) in one.types:
                    alike.setdefault((atom.predicate, said.home.type_of(other)), set()).add(name)
        most = max(most, *map(len, alike.values()), 0)
    return most


def _meant(said: Demands, one: Named) -> int | None:
    """Return how many are meant by the words before a noun or by what goes back to it; 0 for all."""
    at = one.start - 1
    while at >= 0 and (
        said.words[at] in DETERMINERS | {"of"} or not MEASURES.isdisjoint(singulars(said.words[at]))
    ):
        if said.words[at] in _ONE:
            return 1
        at -= 1
    at -= said.words[at] == "single" and said.words[at - 1 : at] == ["every"]
    word = said.words[at] if at >= 0 else ""
    if word in _EVERY:
        return 0
    if word in _ONE:
        return 1
    count = count_of(word) if word else None
    if count is not None and said.words[at - 1 : at] in (["all"], ["other"]):
        return 0
    return count
