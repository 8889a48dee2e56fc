"""Goals of a house in the words that people use: ``the apple is clean and on the dining table``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonground.grounding.english.statements import Statement, in_sentences, listing
from commonground.grounding.problem_writer.domain import STATE_PREDICATES
from commonground.grounding.problem_writer.goals import EMPTY, Wish
from commonground.grounding.problem_writer.kinds import spaced
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.nouns import is_plural, plural, word_set
from commonground.planning.pddl import And, Atom, Formula, Not, Or, to_pddl
from commonground.planning.pddl.logic import conjuncts

_INTO = word_set("can basin sink tub bathtub pan pot hamper machine toaster box safe")
"""Last words of what things are put in, and not on, besides what can be opened or filled."""
_AN = re.compile(r"^[aeiou]")


class HouseWords:
    """Says what is wanted of one house."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._named = re.compile(
            rf"\b(?:{'|'.join(sorted(map(re.escape, self._ids()), key=len, reverse=True))})\b"
        )

    def wish(self, wish: Wish) -> str:
        """Return what a command asks for, what comes first before the rest."""
        return ", then ".join(filter(None, map(self.goal, (*wish.before, wish.goal))))

    def goal(self, goal: Formula) -> str:
        """Return what shall be so."""
        parts = self._together(conjuncts(goal))
        plain = [said for part in parts if (said := self._statement(part)) is not None]
        others = [self._other(part) for part in parts if self._statement(part) is None]
        return "; ".join(filter(None, [in_sentences(plain) if plain else "", *others]))

    def name(self, word: str) -> str:
        """Return a thing by its number among several of its kind, any of a kind, or the only one."""
        kind, noun = self.home.type_of(word), self._noun(word)
        several = len(self.home.things([kind])) > 1
        if word != kind and several:
            return f"{noun} {word.rpartition('_')[2]}"
        any_one = several and not is_plural(noun)
        return f"{'an' if _AN.match(noun) else 'a'} {noun}" if any_one else f"the {noun}"

    def _noun(self, word: str) -> str:
        """Return what people call a thing of its type."""
        kind = self.home.type_of(word)
        noun, known = spaced(kind), self.home.kinds.types.get(kind)
        return noun if known is None or not known.words or noun in known.words else known.words[0]

    def said(self, question: str) -> str:
        """Return a question with the names of things as people say them."""
        return self._named.sub(lambda found: self.name(found[0]).removeprefix("the "), question)

    def _ids(self) -> Iterator[str]:
        """Yield the names and types that nobody writes so: ``CoffeeTable``, ``Vase_1``."""
        for name in {*self.home.there, *self.home.there.values(), *self.home.kinds.types}:
            if "_" in name or name.lower() != name:
                yield name

    def _together(self, parts: Sequence[Formula]) -> list[Formula]:
        """Return parts of a goal with one for all things of a kind that shall be alike."""
        found = dict.fromkeys(parts)
        for part in parts:
            if isinstance(part, Atom) and part.predicate == "state":
                thing, state = part.args
                kind = self.home.type_of(thing)
                alike = [Atom("state", (t, state)) for t in self.home.things([kind])]
                if thing != kind and len(alike) > 1 and all(one in found for one in alike):
                    found = dict.fromkeys(p for p in found if p not in alike)
                    found[Atom("state", (f"all {plural(self._noun(kind))}", state))] = None
        return [*found]

    def _statement(self, part: Formula) -> Statement | None:
        """Return one thing that shall be said of another; where it may be in several places, those."""
        if isinstance(part, Or):
            said = [self._statement(one) for one in part.parts]
            known = [one for one in said if one is not None]
            if len(known) < len(said) or len({(s.subject, s.verb) for s in known}) > 1:
                return None
            return known[0]._replace(rest=listing([one.rest for one in known], "or"))
        atom = part.body if isinstance(part, Not) else part
        if not isinstance(atom, Atom):
            return None
        how = "not " if atom is not part else ""
        if atom.predicate == "contains":
            return self._about(atom.args[1], f"{how}{self._where(atom.args[0])}")
        thing, state = atom.args
        return self._about(thing, f"{how}{'empty' if state == EMPTY else STATE_PREDICATES[state]}")

    def _about(self, thing: str, rest: str) -> Statement:
        name = thing if thing.startswith("all ") else self.name(thing)
        return Statement(name, rest, plural=is_plural(name))

    def _where(self, place: str) -> str:
        noun = self._noun(place)
        within = noun.split()[-1] in _INTO or any(
            self.home.usually([place], able) for able in ("openable", "fillable")
        )
        return f"{'in' if within else 'on'} {self.name(place)}"

    def _other(self, part: Formula) -> str:
        if isinstance(part, Or):
            return ", or ".join(map(self.goal, part.parts))
        return self.goal(part) if isinstance(part, And) else f"not so: {to_pddl(part)}"
