"""What verbs and words for states say in one domain: by its predicates and actions, and what these do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.predicate_names import tells_having
from commonground.grounding.memory.ontology.predicate_words import BY_DEED, COVERS, DIRECT
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    DETERMINERS,
    EVERY,
    FILLING,
    NEGATIONS,
    PARTICLES,
    TRANSFERS,
    Word,
    alike,
    classes_of,
    is_participle,
    is_verb,
    lemmas,
    near,
    number_in,
    says_nothing,
    states_of,
)
from commonground.grounding.memory.readers.domain.described.nouns_above import is_noun, synonyms
from commonground.grounding.memory.readers.domain.described.phrase import text_of
from commonground.grounding.memory.readers.domain.described.segment import (
    PREPOSITIONS,
    THERE,
    Segment,
)
from commonground.grounding.memory.readers.domain.described.state_words import (
    DOORS,
    ENDING,
    VACANT,
    StateWords,
)
from commonground.grounding.memory.readers.domain.finding import Found
from commonground.grounding.words.nouns import singulars, word_set

_SAYING_NOTHING = word_set(
    "not no never 's something i we who which that only both together round around "
    "instead about aboard"
)
_HAVING = frozenset(["has", "have", "got"])
_CONVERSE = 0.8
"""What is so far from the word of a relation is said by the other one who stands in it."""
_KNOWN = FILLING | PREPOSITIONS | THERE | _SAYING_NOTHING

_BY_DOOR = ("open", "closed", "locked")
"""What a place is when its door is so."""


class Wording(StateWords):
    """The words of one domain."""

    # ---- verbs ------------------------------------------------------------------------------------

    def holding(self, verbs: Sequence[str]) -> list[Seat]:
        """Return the relations in which somebody has something, those that some verbs begin first."""
        begun = {
            seat.relation: any(
                alike(v, name[0]) or near(v, self.sayings.all[seat.relation].word) < -_CONVERSE
                for v in verbs
                for name in self.sayings.all[seat.relation].begins
                if name
            )  # what is borrowed is lent
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
        own = self._relation_words(relation)
        return any(_forms(w) & own for w in segment.words if w not in _KNOWN)

    def _relation_words(self, relation: str) -> frozenset[str]:
        """Return the words of a relation and of actions that begin it, with nouns for the same."""
        saying = self.sayings.all[relation]
        words = {saying.word, *saying.nouns, *(name[0] for name in saying.begins if name)} - {""}
        words = {w for w in words if w not in PARTICLES and w not in _KNOWN}
        lemmatized = {form for w in words for form in lemmas(w)}
        return frozenset(lemmatized | {s for w in lemmatized for s in synonyms(w)})

    # ---- nothing may be left over ------------------------------------------------------------------------

    def is_remark(self, segment: Segment) -> bool:
        """Return whether a segment names nothing of the world and tells nothing that may be so in it."""
        if any(not r.phrase.pronoun for r in segment.roles) or not EVERY.isdisjoint(segment.words):
            return False
        there = [*segment.words[1:], *(r.phrase.pronoun for r in segment.roles)]
        placed = any(r.phrase.pronoun == "there" and r.preposition for r in segment.roles)
        if placed or ("there" in there and not segment.subjects()):
            return False  # "and has stayed there" tells where somebody is
        if self._tells_of_part(segment) or _is_switched(segment) or _is_owned(segment):
            return False
        if self._moves_part(segment):
            return False
        return not self.is_telling(segment)

    def is_telling(self, segment: Segment) -> bool:
        """Return whether a segment has words for what may be so here."""
        return any(self._is_relevant(w, segment) for w in segment.words if w not in _KNOWN)

    def _tells_of_part(self, segment: Segment) -> bool:
        """Return whether a segment tells how a part is that has no name here: ``lid removed``."""
        noun, state = (*segment.words, "", "")[:2]
        told = state not in PARTICLES and (is_participle(state) or bool(states_of(state)))
        return len(segment.parts) == 2 and told and is_noun(noun)

    @staticmethod
    def _moves_part(segment: Segment) -> bool:
        """Return whether a segment moves a part that has no name here: ``pulled the door to``."""
        words = segment.words
        moved = (n for n, w in enumerate(words[:-2]) if w in segment.verbs and not _leaves(w))
        return any(words[n + 1] == "the" and words[n + 2] in DOORS | COVERS for n in moved)

    def _is_relevant(self, word: str, segment: Segment) -> bool:
        moving = classes_of(word, frozenset(segment.words) & PARTICLES) & TRANSFERS
        done = (moving and not _is_future(word, segment)) or self.sayings.is_deed(word)
        if word in segment.verbs and done and any(r.phrase.pronoun for r in segment.roles):
            return True
        concepts = {s.concept for s in states_of(word)}
        return bool(concepts & self._concepts) or any(
            lemmas(word) & own for own in self.own_words.values()
        )

    @cached_property
    def own_words(self) -> dict[str, frozenset[str]]:
        return {relation: self._relation_words(relation) for relation in self.roles.signatures}

    @cached_property
    def _concepts(self) -> frozenset[str]:
        """The kinds of states that the domain speaks of."""
        return frozenset(
            s.concept for own in self.own_words.values() for w in own for s in states_of(w)
        )

    def check(self, segment: Segment, found: Found, *, task: bool = False) -> None:
        """Raise Unclear where a word is left that nothing was made of; in a task, one that may matter."""
        for word in segment.words:
            if task and not self.may_matter(word, segment):
                continue
            part = bool(found.words) and self._is_part(word, segment, found)
            known = part or self.says_little(word) or word in found.words | self.sayings.lasting
            known = known or self._is_of(word, found) or _is_full_of(word, segment, found)
            if not known:
                raise Unclear(f"what does '{word}' mean in that?")
        if not task:
            _check_last(segment, found)

    def _is_part(self, word: str, segment: Segment, found: Found) -> bool:
        """Return whether a word names a part of what was found, or the door by which that is shut."""
        return word in segment.parts_of or (word in DOORS and self._is_shut(found))

    def _is_shut(self, found: Found) -> bool:
        """Return whether all that was found is what becomes of a place by its door."""
        shut = {s.concept for w in _BY_DOOR for s in states_of(w)}
        own = [
            {s.concept for w in (self.sayings.all[f.relation].word,) for s in states_of(w)}
            for f in (*found.made, *found.ended)
        ]
        return bool(own) and all(map(shut.intersection, own))

    def may_matter(self, word: str, segment: Segment) -> bool:
        """Return whether a word of a task may tell more than what was understood: a state, a doubt."""
        if (
            word in EVERY | NEGATIONS | VACANT
            or number_in(word)
            or classes_of(word, frozenset()) & ENDING
        ):
            return True
        classes = classes_of(word, frozenset(segment.words) & PARTICLES)
        moving, own = (
            classes & TRANSFERS,
            any(lemmas(word) & own for own in self.own_words.values()),
        )
        done = word in segment.verbs and is_participle(word) and not classes  # "should be treated"
        told = own or done or bool(states_of(word) and not moving)
        return told or self._is_unread_noun(word, segment)

    @staticmethod
    def _is_unread_noun(word: str, segment: Segment) -> bool:
        """Return whether a word is the noun of an object that nothing here is called by."""
        texts = ["", *(p.text if isinstance(p, Word) else "" for p in segment.parts)]
        led = any(
            article in DETERMINERS and noun == word and before not in PREPOSITIONS
            for before, article, noun in zip(texts, texts[1:], texts[2:], strict=False)
        )
        ends = texts[-1:] == [word] or "" not in texts[texts.index(word) :][1:2]
        return led and ends and word not in segment.parts_of and is_noun(word)

    @staticmethod
    def says_little(word: str) -> bool:
        """Return whether a word tells nothing of what is so by itself."""
        return word in _KNOWN or says_nothing(word)

    def is_word_of(self, word: str, relation: str) -> bool:
        """Return whether a word is a form of one of a relation, or of an action that begins it."""
        return bool(_forms(word) & self._relation_words(relation))

    def _is_of(self, word: str, found: Found) -> bool:
        """Return whether a word is one of a relation that was found."""
        relations: Collection[str] = {f.relation for f in (*found.made, *found.ended)}
        if any(word in self._glossing(r) for r in relations):
            return True  # "end position open"
        begun = (w for r in relations for n in self.sayings.all[r].begins for w in n[1:])
        if any(alike(word, w) for w in begun if w not in PARTICLES):
            return True  # who takes charge is in charge
        return any(self.is_word_of(word, r) for r in relations)


def _is_full_of(word: str, segment: Segment, found: Found) -> bool:
    """Return whether a word only says how much there is of what was found: ``full of weeds``."""
    texts = [*map(text_of, segment.parts), ""]
    after = texts[texts.index(word) + 1 :]
    return word == "full" and after[:1] == ["of"] and not found.words.isdisjoint(after)


def _is_owned(segment: Segment) -> bool:
    """Return whether a segment only names what is somebody's: ``and his vaccination``, ``she's got them``."""
    if len(segment.roles) > 1 and not _HAVING.isdisjoint(segment.words):
        return True
    owned = any(map(segment.is_possessive, segment.roles[:1]))
    return owned and not segment.verbs and AUXILIARIES.isdisjoint(segment.words)


def _is_switched(segment: Segment) -> bool:
    """Return whether a segment only says that something is on, or off: ``and it is on``, ``then off``."""
    about = (segment.copula and bool(segment.subjects())) or segment.words[-2:-1] == ["'s"]
    alone = not segment.roles and {*segment.words} <= {"on", "off", "then", "again", "back"}
    return (about or alone) and bool({"on", "off"} & {*segment.words})


def _is_future(word: str, segment: Segment) -> bool:
    """Return whether ``going`` only tells what is to come: ``it is going to rain``."""
    texts = [p.text if isinstance(p, Word) else "" for p in segment.parts]
    after = texts[texts.index(word) + 1 :][:2] if word in texts else []
    return word == "going" and after[:1] == ["to"] and any(map(is_verb, after[1:]))


def _forms(word: str) -> frozenset[str]:
    """Return what a word can be a form of, also where it says that it is so again: ``resown``."""
    again = lemmas(word[2:]) if word.startswith("re") and len(word) > 4 else frozenset()
    return lemmas(word).union(again, *map(lemmas, singulars(word)))  # "drawings" too


def _check_last(segment: Segment, found: Found) -> None:
    """Raise Unclear where what a thing is said to be is lost: ``the heater in the barn is on``."""
    last = text_of(segment.parts[-1])
    switched = segment.copula and last in ("on", "off") and len(segment.roles) > 1
    if switched and not any(f.is_property for f in found.made):
        raise Unclear(f"what is '{last}'?")


def _leaves(verb: str) -> bool:
    """Return whether a verb only tells that something stayed as it was told to be: ``left the lid up``."""
    return "leave" in classes_of(verb, frozenset())
