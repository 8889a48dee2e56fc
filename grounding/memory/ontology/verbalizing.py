"""Facts and goals in the words that people use: ``Ben's blue towel is on the third shelf``.

What a predicate says follows from its name, the types of its arguments, and what is given of its meaning:
in a domain that nobody described, ``stage_of`` is *the stage of the show is taped*, ``guard_open`` *the
guard of the press is open*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonground.grounding.english.statements import Statement, base_of, in_sentences, listing
from commonground.grounding.knowledge.facts import FALSE, Fact, fact_of
from commonground.grounding.knowledge.files import spoken
from commonground.grounding.memory.ontology.words import (
    PARTICLES,
    is_going_on,
    is_participle,
    is_verb,
    states_of,
)
from commonground.grounding.words.nouns import is_plural, word_set
from commonground.planning.pddl import And, Atom, Exists, Forall, Formula, Not, Or, to_pddl
from commonground.planning.pddl.substitution import substitute

if TYPE_CHECKING:
    from commonground.grounding.memory.ontology.names import Names

_PLACING = word_set(
    "in on at inside under by for with to from near into onto of off within behind as"
)
_BEING = word_set("is are")
_WHERE = ("place", "whereabouts", "holding")
_VALUES = ("attribute", "contents", "channel")
"""The meanings of relations to what is no thing: ``filled with tea``."""


class Form(NamedTuple):
    """How one predicate is said of its subject."""

    verb: str
    rest: str
    part: str = ""
    """What of the subject it is about: ``lid``."""
    value: bool = False
    """Whether it says how something is, and names no thing."""


class InWords:
    """Says the facts of one world."""

    def __init__(self, names: Names) -> None:
        self.names, self.meanings = names, names.meanings
        self.form = cache(self._form)

    # ---- facts and goals ------------------------------------------------------------------------

    def fact(self, fact: Fact) -> str:
        return self.told([fact])

    def told(self, made: Iterable[Fact], ended: Iterable[Fact] = ()) -> str:
        """Return in sentences what is so, and what no longer is where that does not follow from it."""
        so = [*made]
        told = {(f.subject, self._says(f)) for f in so}
        over = (f for f in ended if (f.subject, self._says(f)) not in told)
        said = [self._statement(f, "not" if f.object == FALSE else "") for f in so]
        return in_sentences([*said, *(self._statement(f, "no longer") for f in over)])

    def _says(self, fact: Fact) -> str:
        """Return what a fact is about: where something is or who has it, or its own relation."""
        where = self.meanings.relations[fact.relation].means in _WHERE
        return "where" if where else fact.relation

    def goal(self, goal: Formula) -> str:
        """Return what a goal wants to be so."""
        if isinstance(goal, And):
            plain = [part for part in goal.parts if self._literal(part) is not None]
            others = (self.goal(part) for part in goal.parts if part not in plain)
            said = (s for part in plain if (s := self._literal(part)) is not None)
            return "; ".join(filter(None, [in_sentences(said), *others]))
        if isinstance(goal, Or):
            return ", or ".join(map(self.goal, goal.parts))
        if isinstance(goal, Exists | Forall):
            return self._quantified(goal)
        literal = self._literal(goal)
        return to_pddl(goal) if literal is None else in_sentences([literal])

    def of(self, thing: str) -> str:
        """Return what may be told of a thing: ``whether it is clean, what it is in``."""
        vocabulary = self.meanings.vocabulary
        told: dict[str, None] = {}
        for relation in vocabulary.signatures:
            if relation in vocabulary.changing and self.meanings.takes(
                relation, 0, [self.names.kind(thing)]
            ):
                told |= dict.fromkeys([self._asks(relation)])
        return listing([*told])

    def name(self, thing: str) -> str:
        """Return what a thing is called, with its article."""
        if thing not in self.names.things:
            return thing  # what stands for any of a kind: "that shelf"
        name = self.names.things[thing].name
        head = _HEAD.split(name, maxsplit=1)[0]
        own = name[:1].isupper() or "'s" in head or head.split(" ")[0] in _ARTICLES
        if own or self._kinds([self.names.kind(thing)]) & {*name.lower().split()}:
            return name if own else f"the {name}"
        acts = self.names.is_person(thing) or self.names.is_robot(thing)
        return name.title() if acts else f"the {name}"

    # ---- one fact -------------------------------------------------------------------------------

    def _literal(self, part: Formula) -> Statement | None:
        atom = part.body if isinstance(part, Not) else part
        if not isinstance(atom, Atom) or not 1 <= len(atom.args) <= 2:
            return None
        return self._statement(fact_of(atom), "not" if atom is not part else "")

    def _statement(self, fact: Fact, how: str) -> Statement:
        form, name = self.form(fact.relation), self.name(fact.subject)
        if form == _HELD and not fact.is_property:
            form, name, fact = _HAS, self.name(fact.object), fact._replace(object=fact.subject)
        rest = [form.rest]
        if not fact.is_property:
            rest.append(spoken(self._bare(fact.object)) if form.value else self.name(fact.object))
        verb = form.verb
        if how and verb in _BEING:
            rest = [how, *rest]
        elif how:
            verb, rest = "does", ["not", base_of(verb), *rest]
            rest += ["any more"] if how != "not" else []
        said = " ".join(filter(None, rest))
        if form.part:
            return Statement(f"the {form.part} of {name}", said, verb, is_plural(form.part))
        several = name.startswith("the ") and is_plural(_HEAD.split(name, maxsplit=1)[0])
        return Statement(name, said, verb, several)

    def _bare(self, value: str) -> str:
        known = self.names.things.get(value)
        return known.name if known is not None else value

    def _asks(self, relation: str) -> str:
        form, means = self.form(relation), self.meanings.relations[relation].means
        if means in _WHERE:
            return "who has it" if means == "holding" else "where it is"
        is_property = self.meanings.vocabulary.signatures[relation].is_property
        what = form.rest if form.verb == "has" and not is_property else ""
        verb = "are" if is_plural(form.part) and form.verb == "is" else form.verb
        rest = [f"its {form.part}" if form.part else "it", verb, "" if what else form.rest]
        return " ".join(filter(None, ["whether" if is_property else "what", what, *rest]))

    def _quantified(self, goal: Exists | Forall) -> str:
        """Return a goal of some or all of a kind: ``some shelf that is in the kitchen: …``."""
        lead = "for every" if isinstance(goal, Forall) else "with some"
        kinds = " and ".join(f"{lead} {spoken(' or '.join(v.types))}" for v in goal.parameters)
        body: Formula = goal.body
        for variable in goal.parameters:
            body = substitute(body, {variable.name: f"that {spoken(variable.types[0])}"})
        return f"{kinds}: {self.goal(body)}"

    # ---- the words of a predicate ---------------------------------------------------------------

    def _form(self, relation: str) -> Form:
        words = spoken(relation).lower().split()
        arguments = self.meanings.vocabulary.signatures[relation].arguments
        own = self._kinds(arguments[0]) if arguments else frozenset()
        while len(words) > 1 and words[0] in own:
            words = words[1:]
        if len(arguments) < 2:
            return self._of_state(relation, words)
        return self._between(relation, words, own, self._kinds(arguments[1]))

    def _of_state(self, relation: str, words: Sequence[str]) -> Form:
        if len(words) > 1 and words[0] in ("is", "has"):
            return Form(words[0], " ".join(words[1:]))
        at = len(words) - 1
        at -= at > 0 and words[at] in PARTICLES and is_participle(words[at - 1])  # "switched on"
        rest = " ".join(words[at:])
        if at == 0 and is_plural(words[0]) and not states_of(words[0]):
            return Form("has", rest)
        named = relation in self.meanings.file.relations and self.meanings.relations[relation].means
        whole = at == 0 or named in ("openness", "power")  # a fridge is open, whatever of it is
        if words[0] in ("on", "in", "at"):
            return Form("is", " ".join(words))  # who is "on watch"
        return Form("is", rest) if whole else Form("is", rest, " ".join(words[:at]))

    def _between(
        self, relation: str, words: list[str], own: frozenset[str], others: frozenset[str]
    ) -> Form:
        known = self._known(relation, words[-1])
        if known is not None:
            return known
        value = self.meanings.relations[relation].means in _VALUES
        if _is_told(words):
            return Form(words[0], " ".join(words[1:]), value=value)
        if words[-1] == "is":
            return Form("is", "", " ".join(words[:-1]), value=True)
        if _leads(words[0]):
            return Form("is", _placed(words, others, value=value), value=value)
        if words[-1] == "of" and not own.isdisjoint(words):
            return Form("is", f"the {' '.join(words)}")
        if words[-1] in _PLACING - {"of"} and others.isdisjoint(words):
            return Form("is", " ".join(words), value=value)
        noun = " ".join(w for n, w in enumerate(words) if n == 0 or w not in _PLACING)
        return Form("is", "", noun, value=True)

    def _known(self, relation: str, last: str) -> Form | None:
        """Return how a predicate is said whose meaning tells more than its name; None for others."""
        meaning = self.meanings.relations[relation]
        if meaning.means == "place" and relation in self.meanings.file.relations:
            return Form("is", meaning.prepositions[0])
        if meaning.means in ("whereabouts", "inside") and last == "at":
            return Form("is", "in")
        return _HELD if meaning.means == "holding" and last == "by" else None

    def _kinds(self, types: Iterable[str]) -> frozenset[str]:
        """Return the words of types, and of those above them."""
        above = self.meanings.vocabulary.types.ancestors
        return frozenset(
            w for kind in types for t in above(kind) for w in spoken(t).lower().split()
        )


_HELD, _HAS = Form("is", "held by"), Form("has", "")
_HEAD = re.compile(r" (?:in|on|of|at|by|for|with) ")
_ARTICLES = ("the", "level")


def _is_told(words: Sequence[str]) -> bool:
    """Return whether words begin with a verb of one: ``rests_on``, ``hosts``."""
    tells = words[0].endswith("s") and (len(words) == 1 or is_verb(words[0]))
    return tells or words[0] in ("is", "has")


def _leads(word: str) -> bool:
    return word in _PLACING or is_participle(word) or is_going_on(word)


def _placed(words: Sequence[str], others: frozenset[str], *, value: bool) -> str:
    """Return the words before the name of a place: ``in`` of ``in_room``, ``on the floor of``."""
    *before, last = words
    if value or not before or last in _PLACING:
        located = not value and not before and last not in _PLACING and is_participle(last)
        return f"{last} in" if located and last in _LOCATED else " ".join(words)
    if last in others:
        return " ".join(before)
    return " ".join(words) if before[-1] not in _PLACING else f"{' '.join(before)} the {last} of"


_LOCATED = word_set("located placed installed stationed positioned parked")
