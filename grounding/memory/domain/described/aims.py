"""What a task may want: of all that actions can change, what its words and phrases leave over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product

from commonground.grounding.knowledge.facts import TRUE, Fact
from commonground.grounding.memory.domain.described.denoting import TYPE
from commonground.grounding.memory.domain.described.nearness import LEAST, nearness, telling
from commonground.grounding.memory.domain.described.phrase import Part, Phrase
from commonground.grounding.memory.domain.described.referents import Referents
from commonground.grounding.memory.domain.described.said import (
    AT,
    BESIDE,
    GOING,
    OBTAINING,
    PLACING,
    TAKING,
)
from commonground.grounding.memory.domain.described.segments import Role, Segment, segment
from commonground.grounding.memory.domain.described.unknown import adjectives, check_known
from commonground.grounding.memory.domain.described.wording import Wording, turns
from commonground.grounding.memory.domain.finding import Found, fact
from commonground.grounding.memory.domain.roles import Seat
from commonground.grounding.memory.domain.words import (
    EVERY,
    FROM,
    Word,
    classes_of,
)
from commonground.grounding.memory.unclear import Unclear

_TOLD, _SHOWN, _TYPED = range(3)
"""How surely words tell a relation: by its own, by what verbs of their class do, by types alone."""
_ARTICLES = (Word("the"), Word("a"))
_MOST = 3
"""So many relations are asked for in one segment at most."""
_HAVING = TAKING | {"give"}


@dataclass(frozen=True, slots=True)
class _Aim:
    """A relation that a segment may ask for, between the phrases that it names."""

    relation: str
    roles: tuple[int, ...]
    """The phrases that name its arguments."""
    holds: bool
    words: frozenset[str]
    sure: int


@dataclass(slots=True)
class _Way:
    """One way to understand all of a segment."""

    facts: list[Fact]
    holds: list[bool]
    cost: tuple[int, ...]
    words: set[str] = field(default_factory=set)


class Aims:
    """Finds what segments of one task ask for."""

    def __init__(self, referents: Referents, wording: Wording) -> None:
        self.referents, self.wording = referents, wording
        self.roles, self.kinds, self.changes = referents.roles, referents.kinds, referents.changes
        self.signatures = self.roles.signatures

    def asked(self, parts: Sequence[Part], context: Phrase | None = None) -> Found | None:
        """Return what a segment asks for; None where it only tells what is so. Unclear if that is open.

        ``context``: the phrase among its parts that was only said before it; another than the first one
        may be meant only where words tell in what relation.
        """
        check_known(parts)
        made = segment(parts, self.wording.sayings.is_deed)
        aims = [*self._states(made), *self._relations(made)]
        if context is not None and made.roles[-1].phrase is context:
            aims = [a for a in aims if a.sure == _TOLD and len(a.roles) == 2]
        if made.negated and not any(r.phrase.every for r in made.roles):
            raise Unclear("what is not to be so?")
        for size in range(1, _MOST + 1):
            ways = [
                way
                for chosen in combinations(aims, size)
                if (way := self._way(made, chosen)) is not None
            ]
            if ways:
                return self._best(ways)
        raise Unclear("nothing in that was understood to be a change")

    def righted(self, parts: Sequence[Part]) -> Found:
        """Return the contrary of the one state that a segment tells and that is so; Unclear if it is open."""
        made = segment(parts, self.wording.sayings.is_deed)
        wanted: set[Fact] = set()
        for aim in self._states(made):
            things = self._things(made.roles[aim.roles[0]], aim.relation, 0)
            facts = [_fact(aim.relation, [t]) for t in things]
            so = [f for f in facts if self._is_so(f) == aim.holds]
            if len(so) == 1 and (len(things) == 1 or aim.holds):
                wanted.add(so[0].opposite if aim.holds else so[0])
        if len(wanted) != 1:
            raise Unclear("what should be done?")
        return Found(made=[*wanted])

    def with_bearer(self, parts: Sequence[Part]) -> list[Part]:
        """Return parts with all that may bear a property for the noun in its name: ``the tap is on``."""
        for relation, saying in self.wording.sayings.all.items():
            for at, part in enumerate(parts):
                noun = part.text if isinstance(part, Word) else ""
                if noun not in saying.nouns or not self.signatures[relation].is_property:
                    continue
                fits = (t for t, k in self.kinds.items() if self.roles.fits(k, relation, 0))
                bearer = Phrase((noun,), dict.fromkeys(fits, TYPE))
                return [bearer, *(p for n, p in enumerate(parts) if n != at and p not in _ARTICLES)]
        return []

    def _best(self, ways: Sequence[_Way]) -> Found | None:
        """Return what the best way to understand a segment asks for; Unclear where two are as good."""
        least = min(way.cost for way in ways)
        best = {(*zip(way.facts, way.holds, strict=True),) for way in ways if way.cost == least}
        if all(self._is_so(f) == holds for way in best for f, holds in way):
            return None
        if len(best) > 1:
            raise Unclear("which of several things is wanted?")
        (chosen,) = best
        found = Found()
        for one, holds in chosen:
            if one.is_property:
                found.made.append(one if holds else one.opposite)
            else:
                (found.made if holds else found.ended).append(one)
        return found

    def _is_so(self, one: Fact) -> bool:
        return one in self.changes.draft

    # ---- what words may tell ----------------------------------------------------------------------

    def _states(self, made: Segment) -> Iterator[_Aim]:
        """Yield the properties that words tell of what a segment names."""
        for at, role in enumerate(made.roles):
            if role.preposition in GOING:
                continue
            heard = False
            states = self.wording.states(
                made,
                role.phrase.words,
                partial(self._may_be, role),
                exact=False,
            )
            for relation, holds, words in states:
                if relation in self.roles.vocabulary.changing:
                    heard = True
                    yield _Aim(relation, (at,), holds, frozenset(words), _TOLD)
            if not heard:
                yield from self._nearly(made, at)

    def _nearly(self, made: Segment, at: int) -> Iterator[_Aim]:
        """Yield the property that a word tells which means nearly the same as its own: ``iron it``."""
        changing, words = self.roles.vocabulary.changing, telling(made.words)
        near = {
            (relation, word): nearness(self.wording.sayings.all[relation], word)
            for relation, signature in self.signatures.items()
            if signature.is_property and relation in changing
            if self._may_be(made.roles[at], relation)
            for word in words
        }
        best = max(map(abs, near.values()), default=0.0)
        found = [key for key, value in near.items() if abs(value) == best]
        if best >= LEAST and len(found) == 1:
            ((relation, word),) = found
            holds = (near[relation, word] > 0) != made.negated
            yield _Aim(relation, (at,), holds, frozenset([word, *made.particles]), _SHOWN)

    def _may_be(self, role: Role, relation: str) -> bool:
        return bool(self._things(role, relation, 0))

    def _relations(self, made: Segment) -> Iterator[_Aim]:
        """Yield the relations of two that may be told of what a segment names."""
        changing = self.roles.vocabulary.changing
        for relation in (r for r in self.roles.binary if r in changing):
            told = self.wording.told(relation, made)
            for one, other in product(range(len(made.roles)), repeat=2):
                ends = made.roles[one], made.roles[other]
                if one == other or not all(
                    self._things(r, relation, n) for n, r in enumerate(ends)
                ):
                    continue
                away = made.negated or any(r.preposition in FROM for r in ends)
                sure = _TOLD if told else self._shown(relation, ends, made)
                if sure is not None:
                    yield _Aim(relation, (one, other), not away, frozenset(), sure)

    def _shown(self, relation: str, ends: Sequence[Role], made: Segment) -> int | None:
        """Return how surely verbs and prepositions tell a relation between two phrases."""
        verbs = frozenset(c for v in made.verbs for c in classes_of(v, made.particles))
        held = self.roles.seat_of(relation, self.roles.holding)
        if held is not None:
            thing, holder = ends[held], ends[1 - held]
            has = verbs & _HAVING or not OBTAINING.isdisjoint(made.words)
            return _SHOWN if has or "with" in (thing.preposition, holder.preposition) else None
        for seat in (*self.roles.whereabouts, *self.roles.positions):
            if seat.relation == relation:
                place = ends[seat.other]
                led = place.preposition in AT | BESIDE | FROM or place.phrase.pronoun == "there"
                return _SHOWN if led and self._comes(made, verbs) else None
        return _TYPED if self._comes(made, verbs) else None

    def _comes(self, made: Segment, verbs: frozenset[str]) -> bool:
        """Return whether verbs say no more than that something comes or stays in a relation."""
        unknown = self.wording.is_unknown(made.verb)
        return not made.verbs or bool(verbs & PLACING) or unknown or turns(made.verb)

    def _things(self, role: Role, relation: str, at: int) -> list[str]:
        return self.referents.candidates(
            role.phrase, lambda thing: self.roles.fits(self.kinds[thing], relation, at)
        )

    # ---- whether that is all a segment tells --------------------------------------------------------

    def _way(self, made: Segment, aims: Sequence[_Aim]) -> _Way | None:
        """Return what some aims ask for where they leave nothing of a segment over."""
        if len({(a.relation, a.roles) for a in aims}) < len(aims):
            return None
        meant = self._meant(made, aims)
        acting = self._narrow(made, meant) if meant is not None else None
        if meant is None or acting is None or not self._is_accounted(made, aims, meant):
            return None
        facts: list[Fact] = []
        holds: list[bool] = []
        for aim in aims:
            told = self._facts(made, aim, meant)
            if not told:
                return None
            facts += told
            holds += [aim.holds] * len(told)
        ranks = [made.roles[n].phrase.things.get(t, 0) for n, ts in meant.items() for t in ts]
        return _Way(facts, holds, (acting, sum(a.sure for a in aims), max(ranks, default=0)))

    def _meant(self, made: Segment, aims: Sequence[_Aim]) -> dict[int, list[str]] | None:
        """Return what the phrases mean that name the arguments of aims."""
        meant: dict[int, list[str]] = {}
        for aim in aims:
            for at, role in enumerate(aim.roles):
                things = self._things(made.roles[role], aim.relation, at)
                before = meant.get(role, things)
                meant[role] = [t for t in things if t in before]
                if not meant[role]:
                    return None
        return meant

    def _narrow(self, made: Segment, meant: dict[int, list[str]]) -> int | None:
        """Narrow what phrases mean by the others; return how many of these tell who acts, None if none."""
        acting = 0
        for at, role in enumerate(made.roles):
            if at in meant:
                continue
            near = sorted(meant, key=lambda n: (n > at, abs(n - at)))
            for other in near if role.preposition not in GOING else ():
                kept = self._of(meant[other], role)
                if kept:
                    meant[other] = kept
                    break
            else:
                if not self._acts(role):
                    return None
                acting += 1
        return acting

    def _of(self, things: Sequence[str], role: Role) -> list[str]:
        """Return the things that a phrase tells too, or that what it tells is with."""
        named = self.referents.candidates(role.phrase, lambda _: True)
        return [t for t in things if t in named] or [
            t for t in things if any(self.referents.related(t, o) for o in named)
        ]

    def _acts(self, role: Role) -> bool:
        """Return whether a phrase may only tell who is to do what is asked for, or for whom."""
        somebody = self.roles.people | self.roles.robots
        people = role.phrase.things and all(
            self.roles.is_a(self.kinds[t], somebody) for t in role.phrase.things
        )
        first = role.before_verb and not role.preposition
        return bool(people) and (first or role.preposition in ("by", "for"))

    def _is_accounted(
        self, made: Segment, aims: Sequence[_Aim], meant: dict[int, list[str]]
    ) -> bool:
        """Return whether no word is left that may tell more; what words tell of states narrows phrases."""
        known = {w for aim in aims for w in aim.words} | self._moving(made) | adjectives(made.parts)
        return all(
            word in known
            or (self.wording.says_little(word) and word not in EVERY)
            or any(self.wording.is_word_of(word, a.relation) for a in aims)
            or self._describes(word, made, meant)
            for word in made.words
        )

    @staticmethod
    def _moving(made: Segment) -> set[str]:
        """Return the verbs and particles that only say that something comes into a relation."""
        moving = {
            v
            for v in made.verbs
            if turns(v) or classes_of(v, made.particles) & (PLACING | _HAVING | {"undergoing"})
        }
        return moving | ({*made.particles} if moving or not made.verbs else set())

    def _describes(self, word: str, made: Segment, meant: dict[int, list[str]]) -> bool:
        """Narrow what a phrase means by a word for a state; return whether there is such a phrase."""
        described = self.wording.denoting.described(word, self.changes)
        for role, things in meant.items():
            kept = [t for t in things if t in described]
            if kept and not made.negated:
                meant[role] = kept
                return True
        return False

    def _facts(self, made: Segment, aim: _Aim, meant: Mapping[int, list[str]]) -> list[Fact]:
        """Return the facts of an aim; none where more things may be meant than one."""
        facts = [_fact(aim.relation, way) for way in product(*(meant[n] for n in aim.roles))]
        news = [f for f in facts if self._is_so(f) != aim.holds]
        if all(self._is_plain(made.roles[n].phrase, meant[n]) for n in aim.roles):
            return facts if aim.holds else news
        return news if len(news) == 1 else []

    @staticmethod
    def _is_plain(phrase: Phrase, things: Sequence[str]) -> bool:
        """Return whether a phrase means one thing, or all that it may mean."""
        return len(things) == 1 or phrase.every or phrase.is_group


def _fact(relation: str, ends: Sequence[str]) -> Fact:
    return fact(Seat(relation, 0), *ends) if len(ends) == 2 else Fact(ends[0], relation, TRUE)
