"""Clauses that only say how what is told came about: ``it's shut, the drain is blocked``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, dropwhile, groupby, pairwise

from commonground.grounding.knowledge.facts import FALSE, Fact
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    MODALS,
    NEGATIONS,
    PARTICLES,
    PERSONAL,
    TITLES,
    Word,
    classes_of,
    is_going_on,
    near,
    tells_same,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.referents import Referents
from commonground.grounding.memory.readers.domain.described.said import OBTAINING
from commonground.grounding.memory.readers.domain.described.segment import Segment, segment
from commonground.grounding.memory.readers.domain.described.talk import (
    casts_doubt,
    is_for_hearers,
    says_what_for,
)
from commonground.grounding.memory.readers.domain.described.wording import Wording
from commonground.grounding.memory.readers.domain.disambiguation import Meant
from commonground.grounding.words.nouns import word_set

_MOST = 6
"""So many clauses a text has at most of which one or two may be beside the others."""
_MARKS = frozenset([",", "-", "–", "—", ";", ":"])
_JOINING = word_set("and but so because since then")
_WHY = word_set("so because since")
_BARE = AUXILIARIES | COPULAS | MODALS | NEGATIONS | PERSONAL
"""Whoever denies with no more than these denies what was told before."""
_PRESENT = frozenset(["is", "are", "am", "'s", "'m", "'re"])
_MOVING = frozenset(["take", "place", "give", "release", "go", "leave", "transport", "hold"])
_SOMEWHERE = frozenset(["he", "she", "there"])
_ANY = frozenset(["a", "an", "some"])
_CLOSE = 0.6
"""Words that are more alike, or opposite, than this may tell the same state, or its contrary."""


Apart = tuple[list[Word], list[Word]]
"""A clause that may be beside others, and the one after it."""


class Besides:
    """Finds clauses that tell nothing of their own beside another one in the same sentence."""

    def __init__(self, wording: Wording) -> None:
        self.wording, self.roles = wording, wording.roles

    def ways(
        self, sentences: Sequence[Sequence[Word]]
    ) -> Iterator[tuple[list[list[Word]], list[Apart], list[list[Word]]]]:
        """Yield texts without one clause, or without two, with those, each with the one after it.

        Those that come first speak of what the rest is about: they are yielded once more.
        """
        clauses = [(at, c) for at, sentence in enumerate(sentences) for c in _clauses(sentence)]
        if not 0 < len(clauses) <= _MOST:
            return
        pairs = zip(clauses, [*clauses[1:], (-1, [])], strict=True)
        apart = [(clause, c if n == at else []) for (at, clause), (n, c) in pairs]
        sizes = range(1, min(3, len(clauses)))
        places = range(len(clauses))[::-1]
        for left in ({*c} for size in sizes for c in combinations(places, size)):
            rest = [clause for n, clause in enumerate(clauses) if n not in left]
            first = [c for n, (_, c) in enumerate(clauses) if left.issuperset(range(n + 1))]
            yield [*_joined(rest)], [apart[n] for n in left], first

    def is_beside(self, apart: Apart, meant: Meant) -> bool:
        """Return whether a clause tells nothing that was not told beside it."""
        clause, after = apart
        words = [*dropwhile(_is_mark, clause)]
        parts = Phrases(self.wording.denoting, meant.changes).parts(words)
        texts = [t for t in map(text_of, parts) if t]
        told = [word.text for word in words]
        if is_for_hearers(told) or says_what_for([word.text for word in clause]):
            return True
        named = self._named(parts, meant)
        if not words or named is None or casts_doubt(texts):
            return False
        led = [w.text for w in clause[: len(clause) - len(words)]]
        made = segment([*parts], self.wording.sayings.is_deed)
        if self._is_idle(made, named, meant):
            return self._is_had(meant) or not _is_held_now(made)
        return self._is_more_of(made, named, texts, led, after, meant)

    def _is_had(self, meant: Meant) -> bool:
        """Return whether it was told that somebody has a thing."""
        had = {s.relation for s in self.roles.holding}
        return any(f.relation in had for f in meant.changes.asserted)

    def _is_more_of(
        self,
        made: Segment,
        named: Collection[str],
        texts: Sequence[str],
        led: Sequence[str],
        after: Sequence[Word],
        meant: Meant,
    ) -> bool:
        """Return whether a clause denies, or says of what was told, what makes no difference."""
        if not (_JOINING - _WHY).isdisjoint(led):
            return False
        if not NEGATIONS.isdisjoint(texts) and texts[-1] != "yet":
            bare = _BARE.issuperset(texts)  # it's broken, no, it isn't
            return not bare and self._denies_nothing(made, named, meant)
        return self._is_chatter(made, named, meant, why=not after or _is_result(after))

    def _is_idle(self, made: Segment, named: Collection[str], meant: Meant) -> bool:
        """Return whether a clause has a look at what was told of, or moves it before, and tells no more."""
        about, touched = self._told_of(made, named, meant)
        if _observes(made) and all(map(is_going_on, made.verbs)):
            return True  # "looking for the key"
        if not about.issuperset(named):
            return False
        over = any(f.object == FALSE for f in meant.changes.asserted)
        if over and _is_finished(made):  # "is finished, it is off"
            return not made.negated and len(made.roles) == 1
        idle = _observes(made) or _is_to_come(made) or self._is_moved(made, meant)
        return idle and not touched - {s.relation for s in self.roles.holding}

    def _denies_nothing(self, made: Segment, named: Collection[str], meant: Meant) -> bool:
        """Return whether a clause denies what nobody believes who was told the rest: ``it won't even start``.

        ``Not the red one`` corrects, and what has been put somewhere is of course nowhere else any more.
        """
        about, touched = self._told_of(made, named, meant)
        if not MODALS.isdisjoint(map(text_of, made.parts)):
            return (
                not touched
            )  # what will not, or cannot happen changes nothing: it won't go through the door
        pairs = ((a, b) for a in named for b in named if a < b)
        joined = any(True for a, b in pairs for _ in meant.changes.between(a, b))
        known = {f.relation for f in self._told(meant)}
        told = about.issuperset(named) and not joined and touched <= known
        return told and _only_denies(made)

    def _is_chatter(
        self, made: Segment, named: Collection[str], meant: Meant, *, why: bool
    ) -> bool:
        """Return whether a clause names nothing of which its words may tell anything that was not told.

        ``why``: it may say how the rest came about, and so how something is by other words.
        """
        about, touched = self._told_of(made, named, meant)
        known = {f.relation for f in self._told(meant)}
        if not touched <= known or _moves(made, self._told(meant), named) or _is_there(made):
            return False
        doers = {*named} - about
        if not doers <= self._acting(made, meant):
            return False
        stated = doers if why else doers | about
        is_state = not made.objects() or made.copula
        open_ = self._states(stated, meant) - known if is_state else set()
        return bool(touched) or not (open_ or self._joining(doers, about, meant))

    @staticmethod
    def _told(meant: Meant) -> list[Fact]:
        return [*meant.changes.asserted, *meant.changes.retracted]

    def _told_of(
        self, made: Segment, named: Collection[str], meant: Meant
    ) -> tuple[set[str], set[str]]:
        """Return what was told of, and the relations of what a clause names that it may tell of."""
        told = self._told(meant)
        about = {t for f in told for t in (f.subject, f.object)} & meant.kinds.keys()
        return about, self._touched(made, named or about)

    def _acting(self, made: Segment, meant: Meant) -> set[str]:
        """Return who may do what a clause tells."""
        someone = self.roles.people | self.roles.robots
        things = (t for r in made.subjects() for t in r.phrase.things)
        return {t for t in things if self.roles.is_a(meant.kinds[t], someone)}

    def _states(self, things: Collection[str], meant: Meant) -> set[str]:
        """Return the properties that things may have which change, but for those of what a robot has."""
        return {
            relation
            for relation in self._changing()
            if self.roles.signatures[relation].is_property
            and any(self.roles.fits(meant.kinds[t], relation, 0) for t in things)
        }

    def _joining(self, doers: Collection[str], things: Collection[str], meant: Meant) -> set[str]:
        """Return the relations of somebody to a thing that may begin or end."""
        return {
            relation
            for relation in self._changing()
            for one, other in ((doers, things), (things, doers))
            if not self.roles.signatures[relation].is_property
            and any(self.roles.fits(meant.kinds[t], relation, 0) for t in one)
            and any(self.roles.fits(meant.kinds[t], relation, 1) for t in other)
        }

    def _changing(self) -> set[str]:
        held = {s.relation for s in (*self.roles.holding, *self.roles.positions)}
        return self.roles.signatures.keys() - self.roles.in_hand - self.roles.nameless - held

    def _is_moved(self, made: Segment, meant: Meant) -> bool:
        """Return whether a clause tells where something was, or with whom, that is somewhere else then."""
        placing = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        placing |= {s.relation for s in self.roles.holding}
        placed = any(f.relation in placing for f in meant.changes.asserted)
        classes = [classes_of(v, made.particles) for v in made.verbs]
        moves = classes != [] and all(of & _MOVING for of in classes)
        has = not made.verbs and not OBTAINING.isdisjoint(made.words)
        stands = made.copula and any(r.preposition for r in made.roles)
        return placed and (moves or has or stands)

    def _named(self, parts: Sequence[Part], meant: Meant) -> set[str] | None:
        """Return what parts name besides who speaks; None where they have words that name nothing."""
        referents = Referents(meant, self.wording.denoting)
        phrases = [p for p in parts if isinstance(p, Phrase) and not p.pronoun]
        phrases = phrases[_is_anybody(parts[0]) :]
        named = {t for p in phrases for t in (referents.candidates(p) or p.things)}
        own_words = self.wording.denoting.calling.own_words
        known = {*named, meant.speaker or ""} & self.wording.denoting.calling.kinds.keys()
        own = {w for t in known for w in own_words[t]}
        said = {w for p in phrases for w in p.source} - own - TITLES
        return named - {meant.speaker or ""} if all(map(self.wording.says_little, said)) else None

    def _touched(self, made: Segment, about: Collection[str]) -> set[str]:
        """Return the relations of some things that words may tell of, but for where these are."""
        words = [t for t in _said(made) if not self.wording.says_little(t)]
        particles = dict.fromkeys(made.verbs, made.particles)
        moving = {v for v in made.verbs if classes_of(v, made.particles) & _MOVING}
        kinds = {self.wording.denoting.calling.kinds[t] for t in about}
        placing = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        return {
            relation
            for relation in self.roles.signatures.keys() - placing - self.roles.in_hand
            if any(self._fits(k, relation) for k in kinds)
            and any(
                self._tells(w, relation, particles.get(w, frozenset()), moving=w in moving)
                for w in words
            )
        }

    def _fits(self, kind: str, relation: str) -> bool:
        ends = range(len(self.roles.signatures[relation].arguments))
        return any(self.roles.fits(kind, relation, at) for at in ends)

    def _tells(self, word: str, relation: str, particles: frozenset[str], *, moving: bool) -> bool:
        """Return whether a word is one for a relation or its contrary, or means about that."""
        saying = self.wording.sayings.all[relation]
        if moving:  # "put a new tube in"
            return tells_same(word, saying.word) is not None
        done = {name[0] for name in (*saying.begins, *saying.ends) if name}
        own = {saying.word, *saying.also, *saying.nouns, *done} - {""}
        bare = word.removeprefix("un")
        return self.wording.is_word_of(bare, relation) or any(
            tells_same(word, w) is not None or abs(near(word, w, particles)) > _CLOSE for w in own
        )


def _only_denies(made: Segment) -> bool:
    """Return whether a clause is no correction, and denies nothing of where something is but that it was."""
    over = not {"more", "longer"}.isdisjoint(made.words)
    moves = any(classes_of(v, made.particles) & _MOVING for v in made.verbs)
    has = not OBTAINING.isdisjoint(made.words) and not made.verbs
    return over or (bool(made.verbs or made.copula) and not (moves or has))


def _is_held_now(made: Segment) -> bool:
    """Return whether a clause tells what somebody has by now: ``those I am holding``."""
    holds = any("hold" in classes_of(v, made.particles) and is_going_on(v) for v in made.verbs)
    return holds and not _PRESENT.isdisjoint(made.words)


def _is_there(made: Segment) -> bool:
    """Return whether a clause tells where somebody is: ``he is with them``; or ``the engine is off``."""
    somewhere = any(r.phrase.pronoun in _SOMEWHERE for r in made.roles)
    now = made.subjects() and {"was", "were"}.isdisjoint(made.words)
    somewhere = somewhere or bool(now and any(r.preposition for r in made.roles))
    switched = not made.roles and not PARTICLES.isdisjoint(made.words)
    return made.copula and (somewhere or switched)


def _said(made: Segment) -> set[str]:
    """Return the words of a clause beside what it names, and what goes on by its name: ``charging``."""
    named = (w for p in made.parts if isinstance(p, Phrase) for w in p.source)
    return {*map(text_of, made.parts), *filter(is_going_on, named)} - {""}


def _moves(made: Segment, told: Sequence[Fact], named: Collection[str]) -> bool:
    """Return whether a clause moves what it speaks of, where it was not told where that is.

    Who drags a branch off, or rolls in the mud, moves nothing of this world.
    """
    moving = any(classes_of(v, made.particles) & _MOVING for v in made.verbs)
    beyond = [*map(text_of, dropwhile(lambda p: text_of(p) not in made.verbs, made.parts))]
    named_there = any(not r.before_verb for r in made.roles)
    if not named_there and any(a in DETERMINERS and b for a, b in pairwise(beyond)):
        return False
    spoken = any(r.phrase.pronoun in PERSONAL for r in made.roles) or bool(named)
    return moving and spoken and all(f.is_property for f in told)


def _is_mark(word: Word) -> bool:
    return word.text in _MARKS | _JOINING | {"."}


def _observes(made: Segment) -> bool:
    """Return whether a clause tells that somebody had a look: ``I checked it``, ``found it``."""
    classes = [classes_of(v, made.particles) for v in made.verbs]
    looks = "look" in made.words and not OBTAINING.isdisjoint(made.words)
    looks = looks or {*map(text_of, made.parts)} >= {"looking", "for"}
    return looks or (classes != [] and all(of & {"observe", "certain"} for of in classes))


def _is_anybody(first: Part) -> bool:
    """Return whether a clause begins with any of a kind, and none in particular: ``people``, ``a man``."""
    if not isinstance(first, Phrase) or len(first.things) < 2 or first.every:
        return False
    return first.source[0] in _ANY or (first.is_plural and first.source == first.words)


def _is_to_come(made: Segment) -> bool:
    """Return whether a clause tells what will be, or what somebody wants: ``he will be back at five``."""
    return not (MODALS | {"wants"}).isdisjoint(map(text_of, made.parts))


def _joined(clauses: Sequence[tuple[int, list[Word]]]) -> Iterator[list[Word]]:
    """Yield sentences of clauses, each with the place of its sentence."""
    for _, of in groupby(clauses, key=lambda c: c[0]):
        words = [*dropwhile(_is_mark, (w for _, clause in of for w in clause))]
        if words:
            yield words


def _is_result(clause: Sequence[Word]) -> bool:
    """Return whether a clause tells how something is then: ``it is in the hall``, ``so it is dirty``."""
    texts = [w.text for w in clause if w.text not in _MARKS]
    said = [t for t in texts if t not in _WHY]
    joined = not (_JOINING - _WHY).isdisjoint(texts[:1])
    state = bool({*said[:1]} & PERSONAL) and not COPULAS.isdisjoint(said[:3])
    return not joined and (texts[:1] != said[:1] or state)


def _clauses(sentence: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the clauses of a sentence, each with the marks or the joining words before it."""
    clause: list[Word] = []
    for at, word in enumerate(sentence):
        after = sentence[at + 1] if at + 1 < len(sentence) else Word("")
        joins = word.text in _JOINING and _begins(after)
        begins = word.text in _MARKS or joins or (word.text == "if" and after.text == "you")
        if begins and not all(map(_is_mark, clause)):
            yield clause
            clause = []
        clause.append(word)
    if clause:
        yield clause


def _begins(word: Word) -> bool:
    """Return whether a word behind a joining one begins a clause, or what goes on beside it."""
    return word.text in _BEGINNING or word.capital or is_going_on(word.text)


_BEGINNING = PERSONAL | word_set("i we you the that this there nobody somebody a")
"""What a clause begins with behind a joining word."""


def _is_finished(made: Segment) -> bool:
    ending = [classes_of(v, made.particles) == {"ending"} for v in made.verbs]
    return bool(made.copula | made.passive and ending and all(ending))
