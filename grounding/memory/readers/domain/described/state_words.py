"""What words say of states in one domain: by its predicates, and by what actions bring about and end."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import words_of
from commonground.grounding.memory.ontology.predicate_words import (
    BY_DEED,
    BY_STATE,
    DIRECT,
    Saying,
    Sayings,
    Told,
)
from commonground.grounding.memory.ontology.words import (
    COPULAS,
    DETERMINERS,
    ENDED,
    OF_IT,
    PARTICLES,
    alike,
    classes_of,
    is_going_on,
    lemmas,
    states_of,
)
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.phrase import Phrase, text_of
from commonground.grounding.memory.readers.domain.described.segment import Segment, lead_away
from commonground.grounding.words.nouns import word_set

VACANT = word_set("free vacant available unoccupied nothing clear bare blank")
DOORS = frozenset(["door", "doors", "gate", "gates"])
_NEAR = 0.4
"""A word for a state tells a property that shares at least this of what it may mean."""
_VACANT_NEAR = 0.6
"""How near a word for being empty comes to a property of what stands in no relation."""
ENDING = frozenset(["ending", "evacuate"])
_LEAVING = frozenset(["left", "leaves", "leaving"])
_COMING = frozenset(["doing", "ending", "evacuate", "undergoing", "located", "neutral"])
TURNING = word_set("reach become make turn go come stay remain keep leave set be look get have run")


_FAR = 0.5
"""A word that shares so much of what the word for a state means, or less, does not tell it beside another."""


class EitherState(Unclear):
    """A word tells one of several states, and nothing says which: no guess is better than another."""


class StateWords:
    """The words for states of one domain."""

    def __init__(self, sayings: Sayings, denoting: Denoting, groups: Groups) -> None:
        self.sayings, self.denoting, self.roles = sayings, denoting, sayings.roles
        self.groups = groups

    def states(
        self, segment: Segment, named: Sequence[str], may: Callable[[str], bool], *, exact: bool
    ) -> list[tuple[str, bool, set[str]]]:
        """Return the properties that words tell most surely, whether they hold, and by which words."""
        best: list[tuple[tuple[float, ...], str, Told]] = []
        for relation, signature in self.roles.signatures.items():
            if not signature.is_property or not may(relation):
                continue
            told = self._told(relation, segment, named, exact=exact)
            if told is not None and not (exact and _is_loose(segment, told)):
                best.append(((*told.score,), relation, told))
        best = [*self._without_contraries(best)]
        least = min((score for score, _, _ in best), default=())
        self._check_one(best, least)
        return [
            (
                relation,
                self._polarity(relation, segment, told),
                {*told.words} | self._turning(segment, told),
            )
            for score, relation, told in best
            if score == least
        ]

    def _without_contraries(
        self, best: Sequence[tuple[tuple[float, ...], str, Told]]
    ) -> Iterator[tuple[tuple[float, ...], str, Told]]:
        """Yield states without those whose contrary is the very word of another: open by its door."""
        own = {
            w
            for _, relation, t in best
            if t.how == DIRECT and {*self.sayings.all[relation].nouns} <= DOORS
            for w in t.words
        }
        yield from (one for one in best if one[2].how == DIRECT or not one[2].words <= own)

    @staticmethod
    def _check_one(
        best: Sequence[tuple[tuple[float, ...], str, Told]], least: tuple[float, ...]
    ) -> None:
        """Raise Unclear where a word may tell another state as well: what has run dry is empty, or clean.

        A state that more of the words tell is meant: what has gone flat is flat, and not gone. One to which
        a word is related only from afar is none: what is running is not open.
        """
        chosen = {
            w for score, _, t in best if score == least and t.how == BY_STATE for w in t.words
        }
        rivals = (told for score, _, told in best if score != least and _tells_state(told))
        told_by_both = sorted(w for r in rivals if not r.words < chosen for w in r.words & chosen)
        if told_by_both:
            raise EitherState(f"what does '{told_by_both[0]}' mean in that?")

    def _told(
        self, relation: str, segment: Segment, named: Sequence[str], *, exact: bool
    ) -> Told | None:
        told = None
        for verb in segment.verbs or [""]:
            told = told or self.sayings.told(relation, segment.words, named, verb)
        if told is not None and _is_doubtful(self.sayings.all[relation], told, segment):
            told = None
        if told is not None and told.how == BY_STATE and told.words <= _owned(segment):
            told = None  # "his shot" is not shot
        if told is not None and told.words <= _helping(segment.words):
            told = None  # "does not have it" does nothing to it
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
            if empty or contents == {False} or word in VACANT:
                return Told(True, BY_STATE, frozenset({word}), 0, _VACANT_NEAR)
        return None

    def _polarity(self, relation: str, segment: Segment, told: Told) -> bool:
        if "nothing" in told.words:
            return told.holds
        if self.sayings.lacks_in([*map(text_of, segment.parts)]):
            return not told.holds  # what needs washing is not clean
        ending = self._is_ending(relation, segment, told)
        if told.how == DIRECT and self._turns_otherwise(segment, told):
            raise Unclear(f"what does '{segment.verb}' mean in that?")
        return told.holds != (segment.negated != ending)

    def _is_ending(self, relation: str, segment: Segment, told: Told) -> bool:
        """Return whether verbs, or ``off`` after a noun, tell that a state ends."""
        others = {*segment.verbs} - told.words - self._glossing(relation) - _as_states(segment)
        ending = any(classes_of(v, frozenset()) & ENDING for v in others)
        if self._is_work(relation, told):
            if others - ENDED:  # "started washing it"
                raise Unclear("is that done already?")
            ending = ending and not others & ENDED
        after = {*_after(segment.words, told.words)} if "no" not in segment.words else set()
        ending = ending or bool(others & after & _LEAVING)  # but "no water left"
        noun = told.how == DIRECT and told.words.isdisjoint((*segment.verbs, *PARTICLES))
        done = map(self.sayings.is_deed, (f"{v} off" for v in segment.verbs))
        off = noun and "off" in segment.words and not any(done)  # "sign it off as ready"
        left = self._is_left(segment, told, frozenset(words_of(relation)))
        return ending != (off or left)  # "power off"

    def _is_left(self, segment: Segment, told: Told, name: frozenset[str]) -> bool:
        """Return whether something is out of what a state is named by: ``out of fuel``, ``from her break``.

        What is ``out of order`` is so where the state has that name.

        What comes from work, or out of it, has had it: ``out of the wash``.
        """
        leads = {lead_away(w, segment.parts) for w in told.words} - {"", "off", *name}
        if told.how != DIRECT or not leads:
            return False
        lacks = {"out", "of"} <= {*map(text_of, segment.parts)} and DETERMINERS.isdisjoint(
            map(text_of, segment.parts)
        )
        return lacks or not any(map(self.sayings.is_deed, told.words))

    def _is_work(self, relation: str, told: Told) -> bool:
        """Return whether words tell of work that brings a state about: when it ends, that is so."""
        begins = [name[0] for name in self.sayings.all[relation].begins if name]
        own = self.sayings.all[relation].nouns  # the heating is no work
        work = [w for w in told.words if is_going_on(w) and w not in own]
        return any(alike(w, b) for w in work for b in begins)

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
            or lemmas(v) & {"need", "want"}
            or lemmas(v) & TURNING
            or (particles and states_of(v, particles))
        }

    @cached_property
    def _vacancies(self) -> frozenset[str]:
        """The properties that hold where something stands in no relation: an empty vessel, a free hook."""
        return frozenset(
            part.predicate
            for group in self.groups.all
            if group.origin == "proven" and any(p.arity == 2 for p in group.parts)
            for part in group.parts
            if part.arity == 1 and self.sayings.all[part.predicate].word not in PARTICLES
        )

    def _glossing(self, relation: str) -> set[str]:
        """Return the words of the comment on a predicate."""
        return {*re.findall(r"[a-z]+", self.roles.vocabulary.glosses.get(relation, "").lower())}


def _tells_state(told: Told) -> bool:
    """Return whether words tell a state by what they mean, all of them, and not from afar."""
    return told.how == BY_STATE and not told.missing and told.near > _FAR


def _helping(words: Sequence[str]) -> frozenset[str]:
    """Return the forms of ``do`` that only help to deny."""
    return frozenset(one for one, two in pairwise(words) if two == "not" and "do" in lemmas(one))


def _is_loose(segment: Segment, told: Told) -> bool:
    """Return whether words that tell of a move tell no state besides: ``taken`` no sample of it."""
    return bool(told.how) or (told.words <= {*segment.verbs} and told.missing > 0)


def _is_doubtful(saying: Saying, told: Told, segment: Segment) -> bool:
    """Return whether a word is far from a state, or a verb tells of another part: ``pulled its knob``."""
    if not told.missing:
        return told.how == BY_STATE and told.near < _NEAR
    moves = any(classes_of(word, frozenset()) & {"take", "give", "place"} for word in told.words)
    moved = told.words <= {*segment.verbs} and bool(segment.objects()) and moves
    other = told.how == BY_DEED and bool(segment.parts_of and saying.done_to)
    return moved or other or (told.how == BY_STATE and told.near < _NEAR)


def _owned(segment: Segment) -> set[str]:
    """Return the words that name what is somebody's."""
    around = zip(segment.parts, segment.parts[1:], strict=False)
    return {text_of(b) for a, b in around if isinstance(a, Phrase) and a.pronoun in OF_IT}


def _after(words: Sequence[str], state: Collection[str]) -> Sequence[str]:
    """Return the words after those of a state: ``position open left``, not ``left open``."""
    return words[max((n + 1 for n, w in enumerate(words) if w in state), default=len(words)) :]


def _as_states(segment: Segment) -> set[str]:
    """Return verbs that only tell how something is: ``is empty and closed``, where nobody empties it."""
    so = not COPULAS.isdisjoint(segment.words)
    return {v for v in segment.verbs if so and v in load_lexicon().states}
