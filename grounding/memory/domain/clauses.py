"""Sentences with named things → clauses: who does what to what, where, and whether it is denied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from commonground.grounding.memory.domain.calling import Element, Mention
from commonground.grounding.memory.domain.words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    EVERY,
    FILLING,
    FROM,
    NEGATIONS,
    PARTICLES,
    TO,
    Word,
    belongs,
    classes_of,
    is_going_on,
    is_participle,
    is_verb,
)

_JOINING = frozenset(
    ["and", "but", "then", ",", ":", "so", "while", "because", "when", "who", "which"]
)
BESIDE = frozenset(["near", "beside", "behind", "opposite", "next"])
"""Prepositions by which something else only tells more closely where it is."""
_PREPOSITIONS = TO | FROM | BESIDE | {"of", "by", "after"}
_OBTAINING = frozenset(["has", "have", "had", "having", "get", "got", "gets", "getting"])
_PASSING = FILLING - DETERMINERS - _PREPOSITIONS - {"that"}
IsVerb = Callable[[str], bool]


@dataclass(slots=True)
class Role:
    """A named thing in a clause, with the preposition before it."""

    mention: Mention
    preposition: str = ""
    before_verb: bool = False
    joined: bool = False
    """It stands in a list with the one before."""
    used: bool = False


@dataclass(slots=True)
class Clause:
    """One clause of a sentence."""

    verb: str = ""
    passive: bool = False
    copula: bool = False
    negated: bool = False
    roles: list[Role] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """All words that name no thing, in order."""
    prepositions: list[str] = field(default_factory=list)
    """The words that put named things into relation."""
    parts: set[str] = field(default_factory=set)
    """Words directly before ``of`` and a named thing, or after its owner: what may be a part of it."""

    @property
    def particles(self) -> frozenset[str]:
        """Return the particles that may belong to the verb."""
        return frozenset(self.words) & PARTICLES

    def themes(self) -> list[Role]:
        """Return what the clause is about: the object, or the subject of what has none."""
        if (self.passive and self.subjects()) or not self.objects():
            return self.subjects()
        return self.objects()[-1:] if self._gives() else self.objects()

    def _gives(self) -> bool:
        objects = self.objects()
        return len(objects) > 1 and not any(o.joined for o in objects)

    def receiver(self) -> Role | None:
        """Return the first of two objects: ``gave Ann the key``."""
        return self.objects()[0] if self._gives() and not self.passive else None

    def subjects(self) -> list[Role]:
        """Return the subject, with what is joined to it."""
        return [r for r in self.roles if r.before_verb and r.preposition in ("", "of", "around")]

    def objects(self) -> list[Role]:
        """Return the objects without a preposition."""
        return [r for r in self.roles if not r.before_verb and not r.preposition]

    def agents(self) -> list[Role]:
        """Return who does it, as far as the clause says."""
        if self.passive:
            return [r for r in self.roles if r.preposition == "by"]
        return self.subjects()

    def placed(self) -> list[Role]:
        """Return what follows the verb with a preposition."""
        return [
            r for r in self.roles if not r.before_verb and r.preposition and r.preposition != "by"
        ]


class Clauses:
    """Splits sentences into clauses."""

    def __init__(self, is_deed: IsVerb) -> None:
        self.is_deed = is_deed

    def split(self, elements: Sequence[Element]) -> list[Clause]:
        """Return the clauses of a sentence in order."""
        clauses = [self._clause(segment) for segment in self._segments(elements) if segment]
        for clause, after in pairwise(clauses):
            if clause.verb and not clause.roles:  # "wash and dry the cups"
                clause.roles = [replace(r) for r in after.roles if not r.before_verb]
        return clauses

    def _segments(self, elements: Sequence[Element]) -> list[list[Element]]:
        """Return the elements of each clause."""
        segments: list[list[Element]] = [[]]
        for at, element in enumerate(elements):
            if len(segments[-1]) > 2 and _denies(elements, at):
                break  # "in the second row, not in the third"
            if _text(element) not in _JOINING and not self._goes_along(segments[-1], element):
                segments[-1].append(element)
            elif _text(element) not in _JOINING:
                segments.append([element])
            elif self._begins_clause(elements, at + 1) or self._is_list(segments[-1], elements, at):
                segments.append([])
            else:
                listed = _text(element) in ("and", ",", ":")
                segments[-1].append(Word(",") if listed else element)
        return segments

    def _is_list(self, segment: Sequence[Element], elements: Sequence[Element], at: int) -> bool:
        """Return whether a clause without a verb follows one: ``the door locked, the key on the shelf``."""
        if _text(elements[at]) != "," or self._verb_at(segment)[0] is None:
            return False
        rest = elements[at + 1 :]
        end = next((n for n, e in enumerate(rest) if _text(e) in _JOINING), len(rest))
        named = [n for n, e in enumerate(rest[:end]) if isinstance(e, Mention)]
        between = [_text(e) for e in rest[named[0] : named[1]]] if len(named) > 1 else []
        return named[:1] == [0] and bool({*between} & (TO | FROM))

    def _goes_along(self, segment: Sequence[Element], element: Element) -> bool:
        """Return whether a participle begins what is done at the same time: ``in the hall holding it``."""
        if not is_going_on(_text(element)) or not segment:
            return False
        done = self._verb_at(segment) != (None, len(segment))
        named = [e for e in segment if isinstance(e, Mention)]
        is_deed = self.is_deed(_text(element)) or is_verb(_text(element))
        done = done and "located" not in classes_of(_text(element), frozenset())
        return done and len(named) > 1 and segment[-1] is named[-1] and is_deed

    def _begins_clause(self, elements: Sequence[Element], start: int) -> bool:
        """Return whether a clause with a verb of its own begins at a place."""
        named = False
        for at in range(start, len(elements)):
            element = elements[at]
            if isinstance(element, Mention):
                if named and not (elements[at - 1 : at] and self._is_owner(elements[at - 1])):
                    return False
                named = not element.owner
            elif element.text in _JOINING:
                return False
            elif element.text in AUXILIARIES or self._is_main(elements, at):
                return True
            elif element.text in ("of", *TO):
                named = False
        return False

    @staticmethod
    def _is_owner(element: Element) -> bool:
        return isinstance(element, Mention) and element.owner

    def _is_main(self, elements: Sequence[Element], at: int) -> bool:
        """Return whether a word is a verb and no noun after an article or an owner."""
        element, before = elements[at], elements[at - 1] if at else None
        if not isinstance(element, Word) or element.text in TO | FROM | NEGATIONS:
            return False
        if isinstance(before, Word) and before.text in DETERMINERS | EVERY:
            return False
        if isinstance(before, Mention) and before.owner:
            return False
        return is_verb(element.text) or self.is_deed(element.text)

    def _clause(self, segment: Sequence[Element]) -> Clause:
        clause = Clause()
        main, first = self._head(clause, segment)
        self._fill(clause, segment, main, first)
        clause.negated = sum(w in ("not", "never", "no") for w in clause.words) % 2 == 1
        return clause

    def _head(self, clause: Clause, segment: Sequence[Element]) -> tuple[int | None, int]:
        """Tell the verb and its voice; return where it is and where what precedes it ends."""
        main, first = self._verb_at(segment)
        clause.verb = _text(segment[main]) if main is not None else ""
        auxiliaries = {_text(e) for e in segment[:main]}
        clause.copula = main is None and bool(auxiliaries & COPULAS)
        if main is None and not auxiliaries & AUXILIARIES:  # "the blue trolley now in the hall"
            named = [at for at, e in enumerate(segment) if isinstance(e, Mention)]
            clause.copula = len(named) > 1
            first = named[0] + 1 if clause.copula else first
        given = bool(auxiliaries & (COPULAS | {"get", "got", "gets"}))
        clause.passive = given and is_participle(clause.verb)
        return main, first

    def _fill(
        self, clause: Clause, segment: Sequence[Element], main: int | None, first: int
    ) -> None:
        """Give a clause its roles and the words beside them."""
        preposition, joined = "", False
        for at, element in enumerate(segment):
            if isinstance(element, Mention):
                if joined and clause.roles and not preposition:
                    preposition = clause.roles[-1].preposition
                elif preposition in clause.words:
                    clause.words.remove(preposition)
                    clause.prepositions.append(preposition)
                clause.roles.append(Role(element, preposition, at < first, joined))
                preposition, joined = "", False
            elif element.text == ",":
                joined = True
            elif element.text == "there" and "go" in classes_of(clause.verb, frozenset()):
                clause.roles.append(Role(Mention(("there",), (), pronoun="it"), "to"))
            else:
                clause.words.append(element.text)
                preposition = self._preposition(segment, at, main, preposition)
                self._note_part(clause, segment, at)

    @staticmethod
    def _preposition(segment: Sequence[Element], at: int, main: int | None, before: str) -> str:
        """Return the preposition that holds after a word: a particle of the verb is none."""
        text = _text(segment[at])
        if main is not None and at == main + 1 and _is_particle(segment, at):
            return ""
        if text == "to" and before == "next":
            return before
        if text in _PREPOSITIONS:
            out = before in FROM or _text(segment[at - 1]) in FROM
            return "from" if text == "of" and at > 0 and out else text
        return "" if at == main or text in _PASSING else before

    def _note_part(self, clause: Clause, segment: Sequence[Element], at: int) -> None:
        """Note a noun that may name a part of a thing."""
        text, after = _text(segment[at]), [_text(e) for e in segment[at + 1 : at + 2]]
        owned = at > 0 and self._is_owner(segment[at - 1])
        of_it = bool(after) and after[0] in ("of", "on", "around", "in")
        if owned or (of_it and at != self._verb_at(segment)[0]):
            clause.parts.add(text)

    def _verb_at(self, segment: Sequence[Element]) -> tuple[int | None, int]:
        """Return where the verb is, if there is one, and where it or its auxiliaries begin."""
        first: int | None = None
        for at, element in enumerate(segment):
            if isinstance(element, Mention):
                continue
            if element.text in AUXILIARIES:
                first = at if first is None else first
            elif self._is_main(segment, at):
                return at, at if first is None else first
        if first is None:
            return None, len(segment)
        had = [at for at, e in enumerate(segment) if _text(e) in _OBTAINING]
        is_copula = any(_text(e) in COPULAS for e in segment)
        return (None if is_copula or not had else had[-1]), first


def _text(element: Element | None) -> str:
    return element.text if isinstance(element, Word) else ""


def _at(elements: Sequence[Element], at: int) -> Element | None:
    return elements[at] if at < len(elements) else None


def _is_particle(segment: Sequence[Element], at: int) -> bool:
    """Return whether a word belongs to the verb before it; what goes ``on the table`` goes there."""
    verb = _text(segment[at - 1])
    there = isinstance(_at(segment, at + 1), Mention) and "go" in classes_of(verb, frozenset())
    return belongs(verb, _text(segment[at])) and not there


def _denies(elements: Sequence[Element], at: int) -> bool:
    """Return whether what follows only says what is not meant."""
    return _text(elements[at]) == "," and _text(_at(elements, at + 1)) == "not"
