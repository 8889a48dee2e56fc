"""What verbs and words for states say in one domain: by its predicates and actions, and what these do."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import cached_property

from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.memory.domain.described.denoting import Denoting, number_in
from commonground.grounding.memory.domain.described.segments import PREPOSITIONS, THERE, Segment
from commonground.grounding.memory.domain.finding import Found
from commonground.grounding.memory.domain.roles import Seat, tells_having, words_of
from commonground.grounding.memory.domain.states import BY_DEED, BY_STATE, DIRECT, Sayings, Told
from commonground.grounding.memory.domain.words import (
    ENDED,
    EVERY,
    FILLING,
    NEGATIONS,
    PARTICLES,
    Word,
    alike,
    classes_of,
    is_going_on,
    is_participle,
    is_verb,
    lemmas,
    says_nothing,
    states_of,
    word_set,
)
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.unclear import Unclear
from commonground.grounding.words.nouns import singulars

_VACANT = word_set("free vacant available unoccupied nothing clear bare blank")
_NEAR = 0.4
"""A word for a state tells a property that shares at least this of what it may mean."""
_VACANT_NEAR = 0.6
"""How near a word for being empty comes to a property of what stands in no relation."""
_ENDING = frozenset(["ending", "evacuate"])
_LEAVING = frozenset(["left", "leaves", "leaving"])
_COMING = frozenset(["doing", "ending", "evacuate", "undergoing", "located", "neutral"])
_MOVING = word_set("place take hold give receive go transport leave release")
TURNING = word_set("reach become make turn go come stay remain keep leave set be look get have run")
_SAYING_NOTHING = word_set(
    "not no never 's something i we who which that only both together round around "
    "instead about aboard"
)
_KNOWN = FILLING | PREPOSITIONS | THERE | _SAYING_NOTHING


class Wording:
    """The words of one domain."""

    def __init__(self, sayings: Sayings, denoting: Denoting, groups: Groups) -> None:
        self.sayings, self.denoting, self.roles = sayings, denoting, sayings.roles
        self.groups = groups

    # ---- verbs ------------------------------------------------------------------------------------

    def holding(self, verbs: Sequence[str]) -> list[Seat]:
        """Return the relations in which somebody has something, those that some verbs begin first."""
        begun = {
            seat.relation: any(
                alike(v, name[0])
                for v in verbs
                for name in self.sayings.all[seat.relation].begins
                if name
            )
            for seat in self.roles.holding
        }
        return sorted(
            self.roles.holding,
            key=lambda s: (not begun[s.relation], not tells_having(s.relation), s.relation, s.at),
        )

    def along(self, verbs: Sequence[str]) -> bool:
        """Return whether one of some verbs moves things along with who does it."""
        zones = {s.relation for s in self.roles.whereabouts}
        for deed in self.roles.deeds:
            moved = {(a.predicate, *a.args) for a in deed.adds if a.predicate in zones}
            if len(moved) > 1:
                classes = {c for v in verbs for c in classes_of(v, frozenset())}
                return bool("transport" in classes and not classes & {"place", "give"}) or any(
                    alike(v, words_of(deed.name)[0]) for v in verbs
                )
        return False

    def is_unknown(self, verb: str) -> bool:
        """Return whether nothing is known of what a verb does."""
        return not is_verb(verb)

    # ---- relations ----------------------------------------------------------------------------------

    def told(self, relation: str, segment: Segment) -> bool:
        """Return whether a segment has words of a relation, of an action that begins it, or for the same."""
        told = self.sayings.told(relation, segment.words, (), segment.verb)
        if (
            told is not None
            and told.holds
            and told.words - PARTICLES
            and told.how in (DIRECT, BY_DEED)
        ):
            return True
        if relation in self._contents and any(
            s.concept == "contents" and s.positive for w in segment.verbs for s in states_of(w)
        ):
            return True
        own = self._relation_words(relation)
        return any(_forms(w) & own for w in segment.words if w not in _KNOWN)

    def _relation_words(self, relation: str) -> frozenset[str]:
        """Return the words of a relation and of actions that begin it, with nouns for the same."""
        saying = self.sayings.all[relation]
        words = {saying.word, *saying.nouns, *(name[0] for name in saying.begins if name)} - {""}
        words = {w for w in words if w not in PARTICLES and w not in _KNOWN}
        lemmatized = {form for w in words for form in lemmas(w)}
        return frozenset(lemmatized | {s for w in lemmatized for s in self.denoting.same(w)})

    # ---- states ---------------------------------------------------------------------------------------

    def states(
        self,
        segment: Segment,
        named: Sequence[str],
        may: Callable[[str], bool],
        *,
        exact: bool,
    ) -> list[tuple[str, bool, set[str]]]:
        """Return the properties that words tell most surely, whether they hold, and by which words."""
        best: list[tuple[tuple[float, ...], str, Told]] = []
        for relation, signature in self.roles.signatures.items():
            if not signature.is_property or not may(relation):
                continue
            told = self._told(relation, segment, named, exact=exact)
            if told is not None and not (exact and told.how):
                best.append(((*told.score,), relation, told))
        least = min((score for score, _, _ in best), default=())
        return [
            (
                relation,
                self._polarity(relation, segment, told),
                {*told.words} | self._turning(segment, told),
            )
            for score, relation, told in best
            if score == least
        ]

    def _told(
        self, relation: str, segment: Segment, named: Sequence[str], *, exact: bool
    ) -> Told | None:
        told = None
        for verb in segment.verbs or [""]:
            told = told or self.sayings.told(relation, segment.words, named, verb)
        if told is not None and told.how == BY_STATE and told.near < _NEAR:
            told = None
        if told is None and relation in self._vacancies and not exact:
            told = self._emptied(segment)
        return told

    def _emptied(self, segment: Segment) -> Told | None:
        """Return what words tell of a property that holds where something stands in no relation."""
        particles = frozenset(segment.words) & PARTICLES
        for word in (w for w in segment.words if w not in PARTICLES):
            states = states_of(word, particles)
            contents = {s.positive for s in states if s.concept == "contents"}
            empty = any(
                s.concept == "contents" and not s.positive
                for s in load_lexicon().states.get(word, ())
            )
            if empty or contents == {False} or word in _VACANT:
                return Told(True, BY_STATE, frozenset({word}), 0, _VACANT_NEAR)
        return None

    def _polarity(self, relation: str, segment: Segment, told: Told) -> bool:
        if "nothing" in told.words:
            return told.holds
        others = {*segment.verbs} - told.words - self._glossing(relation)
        ending = any(classes_of(v, frozenset()) & _ENDING for v in others)
        if self._is_work(relation, told):
            if others - ENDED:  # "started washing it"
                raise Unclear("is that done already?")
            ending = ending and not others & ENDED
        ending = ending or bool(others & {*_after(segment.words, told.words)} & _LEAVING)
        noun = told.how == DIRECT and told.words.isdisjoint((*segment.verbs, *PARTICLES))
        if noun and "off" in segment.words:
            ending = not ending  # "power off"
        if told.how == DIRECT and self._turns_otherwise(segment, told):
            raise Unclear(f"what does '{segment.verb}' mean in that?")
        return told.holds != (segment.negated != ending)

    def _is_work(self, relation: str, told: Told) -> bool:
        """Return whether words tell of work that brings a state about: when it ends, that is so."""
        begins = [name[0] for name in self.sayings.all[relation].begins if name]
        return any(is_going_on(w) and alike(w, b) for w in told.words for b in begins)

    def _turns_otherwise(self, segment: Segment, told: Told) -> bool:
        """Return whether a verb with a particle that is the word of a state turns one the other way."""
        if segment.verb in told.words or not told.words & PARTICLES:
            return False
        switched = states_of(segment.verb, told.words & PARTICLES)
        return any(s.positive != told.holds for s in switched)

    def _turning(self, segment: Segment, told: Told) -> set[str]:
        """Return the verbs that only say that what is told begins, or belong to a particle that tells it."""
        particles = told.words & PARTICLES
        return {
            v
            for v in segment.verbs
            if classes_of(v, frozenset()) & _COMING
            or lemmas(v) & TURNING
            or (particles and states_of(v, particles))
        }

    @cached_property
    def _contents(self) -> frozenset[str]:
        """The relations that end it that a thing is empty."""
        return frozenset(
            p.predicate
            for group in self.groups.all
            if group.origin == "proven" and any(p.predicate in self._vacancies for p in group.parts)
            for p in group.parts
            if p.arity == 2
        )

    @cached_property
    def _vacancies(self) -> frozenset[str]:
        """The properties that hold where something stands in no relation: an empty vessel, a free hook."""
        return frozenset(
            part.predicate
            for group in self.groups.all
            if group.origin == "proven" and any(p.arity == 2 for p in group.parts)
            for part in group.parts
            if part.arity == 1
        )

    # ---- nothing may be left over ------------------------------------------------------------------------

    def is_remark(self, segment: Segment) -> bool:
        """Return whether a segment names nothing of the world and tells nothing that may be so in it."""
        if any(not r.phrase.pronoun for r in segment.roles) or not EVERY.isdisjoint(segment.words):
            return False
        there = [*segment.words[1:], *(r.phrase.pronoun for r in segment.roles)]
        if "there" in there and not segment.subjects():
            return False  # "and has stayed there" tells where somebody is
        if self._tells_of_part(segment):
            return False
        return not self.is_telling(segment)

    def is_telling(self, segment: Segment) -> bool:
        """Return whether a segment has words for what may be so here."""
        return any(self._is_relevant(w, segment) for w in segment.words if w not in _KNOWN)

    def _tells_of_part(self, segment: Segment) -> bool:
        """Return whether a segment tells how a part is that has no name here: ``lid removed``."""
        noun, state = (*segment.words, "", "")[:2]
        told = state not in PARTICLES and (is_participle(state) or bool(states_of(state)))
        return len(segment.parts) == 2 and told and self.denoting.is_noun(noun)

    def _is_relevant(self, word: str, segment: Segment) -> bool:
        moving = classes_of(word, frozenset(segment.words) & PARTICLES) & _MOVING
        if word in segment.verbs and moving and any(r.phrase.pronoun for r in segment.roles):
            return True
        concepts = {s.concept for s in states_of(word)}
        return bool(concepts & self._concepts) or any(
            lemmas(word) & own for own in self._own.values()
        )

    @cached_property
    def _own(self) -> dict[str, frozenset[str]]:
        return {relation: self._relation_words(relation) for relation in self.roles.signatures}

    @cached_property
    def _concepts(self) -> frozenset[str]:
        """The kinds of states that the domain speaks of."""
        return frozenset(s.concept for own in self._own.values() for w in own for s in states_of(w))

    def check(self, segment: Segment, found: Found, *, task: bool = False) -> None:
        """Raise Unclear where a word is left that nothing was made of; in a task, one that may matter."""
        for word in segment.words:
            if task and not self.may_matter(word, segment):
                continue
            known = word in _KNOWN or word in found.words or says_nothing(word)
            known = known or bool(found.words and word in segment.parts_of)
            known = known or word in self.sayings.lasting or self._is_of(word, found)
            known = known and not (task and self._is_led(word, segment, found))
            if not known:
                raise Unclear(f"what does '{word}' mean in that?")

    def _is_led(self, word: str, segment: Segment, found: Found) -> bool:
        """Return whether a word for a state is a noun after a preposition: ``into service``."""
        texts = [p.text if isinstance(p, Word) else "" for p in segment.parts]
        led = any(texts[n : n + 2] in (["in", word], ["into", word]) for n in range(len(texts)))
        stated = word in load_lexicon().states or is_participle(word) or not states_of(word)
        return led and not stated and not self._is_of(word, found)

    def may_matter(self, word: str, segment: Segment) -> bool:
        """Return whether a word of a task may tell more than what was understood: a state, a doubt."""
        if (
            word in EVERY | NEGATIONS | _VACANT
            or number_in(word)
            or classes_of(word, frozenset()) & _ENDING
        ):
            return True
        classes = classes_of(word, frozenset(segment.words) & PARTICLES)
        moving, own = classes & _MOVING, any(lemmas(word) & own for own in self._own.values())
        done = word in segment.verbs and is_participle(word) and not classes  # "should be treated"
        return own or done or bool(states_of(word) and not moving)

    @staticmethod
    def says_little(word: str) -> bool:
        """Return whether a word tells nothing of what is so by itself."""
        return word in _KNOWN or says_nothing(word)

    def is_word_of(self, word: str, relation: str) -> bool:
        """Return whether a word is a form of one of a relation, or of an action that begins it."""
        return bool(_forms(word) & self._relation_words(relation))

    def _glossing(self, relation: str) -> set[str]:
        """Return the words of the comment on a predicate."""
        return {*re.findall(r"[a-z]+", self.roles.vocabulary.glosses.get(relation, "").lower())}

    def _is_of(self, word: str, found: Found) -> bool:
        """Return whether a word is one of a relation that was found."""
        relations: Collection[str] = {f.relation for f in (*found.made, *found.ended)}
        if any(word in self._glossing(r) for r in relations):
            return True  # "end position open"
        return any(self.is_word_of(word, r) for r in relations)


def _after(words: Sequence[str], state: Collection[str]) -> Sequence[str]:
    """Return the words after those of a state: ``position open left``, not ``left open``."""
    return words[max((n + 1 for n, w in enumerate(words) if w in state), default=len(words)) :]


def _forms(word: str) -> frozenset[str]:
    """Return what a word can be a form of, also where it says that it is so again: ``resown``."""
    again = lemmas(word[2:]) if word.startswith("re") and len(word) > 4 else frozenset()
    return lemmas(word).union(again, *map(lemmas, singulars(word)))  # "drawings" too
