"""How a domain says what is so: the words of its predicates, and of the actions that begin and end it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.ontology.abbreviations import shortens, spelt
from commonground.grounding.memory.ontology.deeds import words_of
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    FILLING,
    FROM,
    PARTICLES,
    TO,
    alike,
    is_participle,
    is_verb,
    lemmas,
    states_of,
    tells_same,
)
from commonground.grounding.words.nouns import singulars

_SMALL = (FILLING | TO | FROM | {"is", "of", "by", "status", "state", "currently"}) - PARTICLES
DIRECT, BY_DEED, BY_STATE = range(3)
"""How surely words tell a state: by its own word, by that of an action, by a word for the same state."""


_WITHIN = frozenset(["on", "in", "at"])
COVERS = frozenset(["lid", "cover", "cap", "stopper", "cork", "plug"])
"""What shuts a thing by being on it."""
_BY_DEED_ONLY = 0.75
"""How much nearer a word for a state comes to a property that names it than to one whose actions do."""
_Heard = tuple[bool, int, set[str], float]
"""What is told, how surely, by which words, and how near these are."""


@dataclass(slots=True)
class Saying:
    """The words of one predicate."""

    relation: str
    word: str = ""
    """What it says: ``closed`` of ``guard_closed``."""
    nouns: tuple[str, ...] = ()
    """What else it names: ``guard``."""
    also: tuple[str, ...] = ()
    """Words that comments have for it: ``broken`` for ``dud``."""
    begins: list[tuple[str, ...]] = field(default_factory=list)
    """The words of actions that make it so."""
    ends: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def own_words(self) -> Iterable[str]:
        """Return its words, and those of the actions that change what it says."""
        return (self.word, *self.nouns, *(w for n in (*self.begins, *self.ends) for w in n))

    @property
    def done_to(self) -> frozenset[str]:
        """What it and its actions are named by: the tag of ``tag-taken`` and ``pull-tag``."""
        named = {w for name in (*self.begins, *self.ends) for w in name[1:]}
        return frozenset(self.nouns) & named


@dataclass(frozen=True, slots=True)
class Told:
    """That words tell a state, how surely, and by which of them."""

    holds: bool
    how: int
    words: frozenset[str]
    missing: int
    """How many of the predicate's nouns were not said."""
    near: float = 1.0
    """How much of what the predicate's word may describe the words describe too."""

    @property
    def score(self) -> tuple[float, ...]:
        """Return how doubtful it is: the least is told most surely."""
        return self.missing, self.how, -self.near, -len(self.words)


class Sayings:
    """The words of all predicates of a domain."""

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self.all = {name: self._saying(name) for name in roles.signatures}
        changing = roles.vocabulary.changing
        self.lasting = frozenset(
            noun
            for name, said in self.all.items()
            if name not in changing
            for noun in (*said.nouns, said.word)
            if noun
        )
        """The words of what never changes: to name them tells nothing new."""
        self.state_words = tuple(
            said.word
            for r, said in self.all.items()
            if said.word and roles.signatures[r].is_property
        )
        """The words of properties."""
        self.nouns = {noun for said in self.all.values() for noun in said.nouns}
        self.deed_words = frozenset(
            d.name.lower().replace("-", "_").split("_")[0] for d in roles.deeds
        )
        self._known: set[str] = set()

    def _saying(self, relation: str) -> Saying:
        telling = self._beside_kinds(relation)
        relates = not self.roles.signatures[relation].is_property
        telling = (_without_lead if relates else _without_place)(telling)
        switched = not relates and telling[1:] and telling[-1] in ("on", "off")  # heating_on
        word = telling[-1] if switched else self._describing(telling)
        nouns = tuple(w for w in telling if w != word and not (switched and is_participle(w)))
        saying = Saying(relation, word, nouns, self._glossed(relation))
        self._note_deeds(saying)
        return saying

    def _note_deeds(self, saying: Saying) -> None:
        """Keep what the actions are called that begin and end what a predicate tells."""
        for deed in self.roles.deeds:
            said = (*(_telling(deed.name) or words_of(deed.name)),)
            if saying.relation in {a.predicate for a in deed.adds}:
                saying.begins.append(said)
            elif saying.relation in {a.predicate for a in deed.deletes}:
                saying.ends.append(said)

    def hear(self, words: Iterable[str]) -> None:
        """Learn which words of a text the names of predicates shorten: ``cntm`` is said contaminated."""
        for word in {*words} - self._known:
            self._known.add(word)
            short = [s for s in self.all.values() if s.word and shortens(s.word, word)]
            if len(short) == 1 and not any(_is_among(word, s.own_words) for s in self.all.values()):
                short[0].also += (word,)

    def given_by(self, relation: str) -> frozenset[str]:
        """Return the nouns in the names of actions that begin a property: ``hang_bunting`` on a stall."""
        kinds = {
            w for d in self.roles.deeds for of in d.kinds.values() for k in of for w in words_of(k)
        }
        begins = self.all[relation].begins if self.roles.signatures[relation].is_property else ()
        return frozenset(w for name in begins for w in name[1:]) - kinds - PARTICLES

    def _glossed(self, relation: str) -> tuple[str, ...]:
        """Return the words of a comment of single telling words: ``going; a vent: open``."""
        parts = re.split(r"[;,:/]", self.roles.vocabulary.glosses.get(relation, "").lower())
        telling = ([w for w in re.findall(r"[a-z]+", p) if w not in _SMALL] for p in parts)
        having = [re.match(r"\s*(?:has|with)\s", p) is not None for p in parts]
        return tuple(
            words[0]
            for words, has in zip(telling, having, strict=True)
            if len(words) == 1 and (has or self._describes(words[0]))
        )

    def _describing(self, telling: list[str]) -> str:
        """Return the word of a name that describes a state: ``closed`` rather than ``off``."""
        found = [w for w in telling if self._describes(w)] or telling or [""]
        return ([w for w in found if w not in PARTICLES] or found)[-1]

    def _beside_kinds(self, relation: str) -> list[str]:
        """Return the telling words of a predicate without those for the types of its arguments."""
        arguments = self.roles.signatures[relation].arguments
        of_kinds = {w for kinds in arguments for k in kinds for w in self._of_kind(k)}
        return [w for w in _telling(relation) if w not in of_kinds]

    def explained(self, relation: str) -> str:
        """Return in words how a predicate is said."""
        saying = self.all[relation]
        ways = [f"'{' '.join(w for w in (*saying.nouns, saying.word) if w)}'"]
        ways += [f"'{word}'" for word in saying.also]
        ways += (
            [f"begun by {'/'.join(' '.join(n) for n in saying.begins)}"] if saying.begins else []
        )
        ways += [f"ended by {'/'.join(' '.join(n) for n in saying.ends)}"] if saying.ends else []
        return ", ".join(way for way in (*self._does(relation), *ways) if way != "''")

    def _does(self, relation: str) -> Iterable[str]:
        """Yield what the domain's actions tell of a relation."""
        roles, kinds = self.roles, ("who holds things", "where things are", "what is in which zone")
        for seats, what in zip(
            (roles.holding, roles.positions, roles.whereabouts), kinds, strict=True
        ):
            if roles.seat_of(relation, seats) is not None:
                yield what
                return

    def is_deed(self, word: str) -> bool:
        """Return whether a word, with a particle or without, is a form of the verb of one of the actions."""
        verb, _, particle = word.partition(" ")
        if particle:
            names = (words_of(deed.name) for deed in self.roles.deeds)
            return any(particle in name[1:] and alike(verb, name[0]) for name in names)
        return any(alike(word, deed) for deed in self.deed_words)

    def lacks(self, words: Sequence[str]) -> bool:
        """Return whether words begin with a need of what an action does: ``needs a wash``."""
        counted = list(words[1:2]) in (["a"], ["another"])
        work = words[1 + counted] if len(words) > 1 + counted else ""
        needs = bool(words) and bool(lemmas(words[0]) & {"need", "want"})
        return needs and self.is_deed(work) and (counted or work.endswith("ing"))

    def lacks_in(self, words: Sequence[str]) -> bool:
        """Return whether words tell anywhere that something needs what an action does."""
        return any(self.lacks(words[n:]) for n in range(len(words)))

    @staticmethod
    def _describes(word: str) -> bool:
        return bool(states_of(word)) or word in PARTICLES or word.endswith(("ed", "ing", "en"))

    def _of_kind(self, kind: str) -> Iterable[str]:
        for above in (kind, *self.roles.vocabulary.types.ancestors(kind)):
            yield from words_of(above)

    # ---- reading --------------------------------------------------------------------------------

    def told(
        self, relation: str, said: Iterable[str], named: Iterable[str], verb: str = ""
    ) -> Told | None:
        """Return what some words tell of a predicate; ``named`` are the words that name its things."""
        saying, words = self.all[relation], [*said]
        heard = {w for w in words if _is_among(w, saying.nouns)}
        missing = sum(not _is_among(noun, (*words, *named)) for noun in saying.nouns)
        rest = [w for w in words if w not in heard]
        done = self._by_deed(saying, words, verb)
        found = _surer(self._by_word(saying, rest), done, verb) or self._by_state(saying, rest)
        if found is None or (missing and not heard and _needs_noun(saying, found[1])):
            return None
        holds, how, by, near = found
        return Told(holds, how, frozenset(heard | by), missing, near)

    @staticmethod
    def _by_word(saying: Saying, words: list[str]) -> _Heard | None:
        exact = frozenset(w for w in saying.also if w.endswith("ing"))  # what has gone is not going
        for said in words:
            if said in exact or _is_among(said, {*saying.also} - exact):
                return True, DIRECT, {said}, 1.0
        for said in words if saying.word else ():
            same = (
                tells_same(one, saying.word) for one in singulars(said)
            )  # "weeds" are weedy too
            holds = next((h for h in same if h is not None), None)
            if holds is not None:
                done = is_participle(said) and _is_ended_by(saying, saying.word)
                return holds != done, DIRECT, {said}, 1.0
        return None

    @staticmethod
    def _by_deed(saying: Saying, words: list[str], verb: str) -> _Heard | None:
        """Return what is told by the name of an action that makes it so or ends it."""
        for holds, names in ((True, saying.begins), (False, saying.ends)):
            for name in names:
                rest = {w for w in name[1:] if w in PARTICLES}
                if verb and alike(verb, name[0]) and rest <= {*words}:
                    return holds, BY_DEED, {verb} | rest, 1.0
                if not verb and rest and rest <= {*words} and name[0] in ("switch", "turn"):
                    return holds, BY_DEED, rest, 1.0  # what can be switched off is off
        return None

    @staticmethod
    def _by_state(saying: Saying, words: list[str]) -> _Heard | None:
        """Return what is told by a word for the same state, or for its opposite."""
        own = _states_of(saying)
        particles = frozenset(words) & PARTICLES
        found: dict[bool, set[str]] = {}
        shared: set[str] = set()
        for said in words:
            for state in _turned(said, particles):
                same = [s for s in own if s.concept == state.concept]
                shared |= {s.concept for s in same}
                for one in same:
                    found.setdefault(one.positive == state.positive, set()).add(said)
        if len(found) != 1:
            return None
        ((holds, by),) = found.items()
        telling = [{s.concept for s in states_of(w)} for w in (saying.word, *saying.also)]
        near = max((len(shared & of) / len(of) for of in telling if of), default=None)
        if not near:
            near = _BY_DEED_ONLY * len(shared) / len({s.concept for s in own})
        return holds, BY_STATE, by | particles, near


def _without_lead(telling: list[str]) -> list[str]:
    """Return the words of a relation that are verbs: what is ``kept-in`` a place is kept."""
    return [*filter(_is_verb_form, telling)] or telling


def _without_place(telling: list[str]) -> list[str]:
    """Return the words of a property without ``on`` or ``in``: who is ``on-watch`` has the watch."""
    return telling[1:] if telling[1:] and telling[0] in _WITHIN else telling


def _is_verb_form(word: str) -> bool:
    """Return whether a word is one by which two things are related: ``kept``, ``looks``."""
    return is_participle(word) or (word.endswith("s") and is_verb(word))


def _surer(told: _Heard | None, done: _Heard | None, verb: str) -> _Heard | None:
    """Return what words tell of a state, or what is done: who dusts a thing leaves no dust on it."""
    if told is None or done is None:
        return told or done
    return done if told[2] == {verb} and told[0] != done[0] else told


def _turned(word: str, particles: frozenset[str]) -> set[State]:
    """Return the states that a word tells with particles, and those it tells alone beside them."""
    if word in AUXILIARIES:
        return set()  # who "got off" got nothing
    found, alone = {*states_of(word, particles)}, {*states_of(word)}
    return found | alone if found <= alone else found  # "start it up" is no more than to start it


def _is_ended_by(saying: Saying, word: str) -> bool:
    """Return whether the action of a word ends what has it in its name: ``rinse`` ends ``needs_rinse``."""
    ends = any(alike(word, name[0]) for name in saying.ends)
    return ends and not any(alike(word, name[0]) for name in saying.begins)


def _needs_noun(saying: Saying, how: int) -> bool:
    """Return whether a word tells nothing without a noun: ``on`` without ``lid``, but ``sealed``."""
    covered = how == BY_STATE and bool(COVERS & {*saying.nouns})
    return saying.word in PARTICLES and not covered


def _telling(name: str) -> list[str]:
    """Return the words of a name that tell something."""
    return [
        w if w in PARTICLES else spelt(w)
        for w in words_of(name)
        if w in PARTICLES or w not in _SMALL
    ]


def _states_of(saying: Saying) -> set[State]:
    """Return the states that the words of a predicate tell, or else those that its actions bring about."""
    if saying.word == "on" and COVERS & {*saying.nouns}:
        return {s for s in states_of("sealed") if not s.positive}  # what has its lid on is shut
    own = {s for w in (saying.word, *saying.also) for s in states_of(w)}
    for holds, names in () if own else ((True, saying.begins), (False, saying.ends)):
        for name in names:
            turned = states_of(name[0], frozenset(name) & PARTICLES)
            own |= {State(s.concepts, s.positive == holds) for s in turned}
    return own


def _is_among(word: str, others: Iterable[str]) -> bool:
    """Return whether a word is a form of one of some words."""
    return any(alike(word, other) for other in others)
