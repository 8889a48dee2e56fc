"""Which change a segment most likely tells of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import dropwhile, pairwise, takewhile

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.interpretation.unclear import NOTHING, Unclear
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    ENDED,
    EVERY,
    FROM,
    GENERAL,
    NEGATIONS,
    PARTICLES,
    Word,
    alike,
    classes_of,
    is_going_on,
    is_participle,
    is_verb,
    lemmas,
    number_in,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.named import TYPE
from commonground.grounding.memory.readers.domain.described.phrase import Phrase
from commonground.grounding.memory.readers.domain.described.said import GOING, Said, Understanding
from commonground.grounding.memory.readers.domain.described.segment import Role, Segment, lead_away
from commonground.grounding.memory.readers.domain.described.state_words import TURNING
from commonground.grounding.memory.readers.domain.finding import Found
from commonground.grounding.memory.readers.domain.likely.candidates import Candidate, Candidates
from commonground.grounding.memory.readers.domain.likely.evidence import (
    DONE,
    STATED,
    SURE,
    Evidence,
)
from commonground.grounding.memory.readers.domain.likely.fitting import Fitting

_MARGIN = 0.75
"""The best change must fit so much better than another one."""
_ENOUGH = 1.0
"""Words must tell so much of a change besides who and what takes part."""
_UNNAMED = 0.25
"""What it costs that something takes part which no phrase names."""
_UNREAD_VERB, _UNREAD = 1.2, 0.4
"""What a word costs that tells nothing of a change: a verb may tell another one."""
_BEFORE = frozenset(["had", "was", "were"])
"""What tells of an earlier time where no participle follows."""
_MOVING = frozenset(["go", "transport", "swap"])
"""The classes of verbs that tell with ``to`` where somebody or something is then."""
_ONTO = frozenset(["on", "onto", "in", "into", "at"])
ALL_OR_NONE = GENERAL - {"something"} | {"none"}
_DENYING = frozenset(["not", "no"])
"""What denies one thing, so that the contrary is told."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A change, how well a segment fits it, and how much of that its words tell."""

    score: float
    told: float
    candidate: Candidate


@dataclass(slots=True)
class _Heard:
    """What the words of a segment tell of one change."""

    told: float = 0.0
    cost: float = 0.0
    unread: int = 0
    """Verbs that tell nothing of it."""
    left: int = 0
    """Other words that tell nothing of it."""


class Likely:
    """Ranks what a segment may tell of, as things are."""

    def __init__(self, telling: Understanding, evidence: Evidence) -> None:
        self.wording, self.evidence = telling.wording, evidence
        self.candidates = Candidates(telling.referents, telling.wording, task=telling.task)
        self.fitting = Fitting(telling.referents, telling.wording, task=telling.task)

    def tell(self, segment: Segment, agents: list[str]) -> Said:
        """Return the change that a segment most likely tells of; Unclear where another is about as likely."""
        acts = [v for v in segment.verbs if not _is_light(v, segment)]
        if not segment.roles or self.is_open(segment) or len(acts) > 1 or any(map(_observes, acts)):
            raise Unclear(NOTHING)
        ranked = self.ranked(segment, agents)
        if not ranked or ranked[0].told < _ENOUGH:
            raise Unclear(NOTHING)
        best = ranked[0]
        for other in ranked[1:]:
            if best.score - other.score >= _MARGIN:
                break
            if not _goes_with(best.candidate, other.candidate):
                raise Unclear("what of that was done?")
        return self._said(segment, agents, best.candidate)

    def bearer(self, segment: Segment) -> Phrase | None:
        """Return all that may have a property for the noun in its name: ``the tap is on``.

        What the world itself has is named by its word: ``the rain has stopped``.
        """
        roles, sayings = self.candidates.roles, self.wording.sayings.all
        for relation, saying in sayings.items():
            nouns = {*segment.words} & {*saying.nouns}
            if any(map(roles.vocabulary.bearers.is_world, roles.signatures[relation].arguments[0])):
                nouns |= {w for w in segment.words if alike(w, saying.word)}
            if nouns and roles.signatures[relation].is_property:
                things = (t for t, k in self.candidates.kinds.items() if roles.fits(k, relation, 0))
                return Phrase((*nouns,), dict.fromkeys(things, TYPE))
        return None

    def is_open(self, segment: Segment) -> bool:
        """Return whether words deny, count or tell of before, so that what they say hangs on all of them."""
        words = {*segment.words} - ({"one"} if _is_named_one(segment) else set())
        words -= _DENYING if segment.negated else set()
        before = words & _BEFORE and not any(map(is_participle, segment.verbs))
        before = before and not segment.has_had
        every = any(role.phrase.every for role in segment.roles)
        return bool(
            words & (NEGATIONS | EVERY | ALL_OR_NONE)
            or before
            or every
            or any(map(number_in, words))
        )

    def ranked(self, segment: Segment, agents: list[str]) -> list[Scored]:
        """Return the changes that all of a segment's phrases may be about, the most likely first."""
        found = [self._scored(segment, agents, c) for c in self.candidates.of(segment, agents)]
        return sorted((s for s in found if s is not None), key=lambda s: -s.score)

    @staticmethod
    def _said(segment: Segment, agents: list[str], candidate: Candidate) -> Said:
        verbs = frozenset(c for v in segment.verbs for c in classes_of(v, segment.particles))
        for role in segment.roles:
            role.used = True
        doers = [candidate.doer] if candidate.doer in agents else agents
        found = Found([*candidate.made], [*candidate.ended], {*segment.words})
        return Said(segment, doers, verbs, found)

    def _scored(self, segment: Segment, agents: list[str], candidate: Candidate) -> Scored | None:
        """Return how well a segment fits a change; None where it cannot tell of it."""
        said = candidate.denied if segment.negated else candidate
        fit = self.fitting.fit(segment, agents, said) if said is not None else None
        if said is None or fit is None:
            return None
        heard = self._heard(segment, said)
        told = heard.told + self._built(segment, said)
        if heard.unread > (told >= SURE) or not self._is_told(segment, said, heard, told):
            return None
        if candidate.doer not in agents and self._is_by_another(segment, candidate):
            return None
        score = fit + told - heard.cost - _UNNAMED * candidate.unnamed
        return Scored(score, told, candidate)

    def _is_told(self, segment: Segment, candidate: Candidate, heard: _Heard, told: float) -> bool:
        """Return whether words tell enough of a change for what they leave open."""
        if self._may_be_more(segment, candidate, heard, told):
            return False
        if self._is_of_another_part(segment, candidate) or self._is_of_another(segment, candidate):
            return False
        if segment.copula and not self._is_so(segment, candidate):
            return False
        if not candidate.news:  # what is so already is said in its own words
            return not segment.verbs and told >= SURE and not heard.left
        if told == DONE:
            return len(candidate.meant) > 1  # any work may be done with one thing
        return not candidate.unnamed or told > STATED

    def _is_by_another(self, segment: Segment, candidate: Candidate) -> bool:
        """Return whether somebody who has no name here does what would put a thing in a robot's hands."""
        hands = any(candidate.doer in (f.subject, f.object) for f in candidate.made)
        before = takewhile(lambda w: w not in segment.verbs, segment.words)
        return hands and not self.candidates.task and not all(map(self._says_little, before))

    def _may_be_more(
        self, segment: Segment, candidate: Candidate, heard: _Heard, told: float
    ) -> bool:
        """Return whether a task may want more than a change, or another thing may be denied."""
        whole = len(candidate.meant) == len(segment.roles)
        another = segment.negated and not (whole and told >= STATED)
        return another or (self.candidates.task and bool(heard.left or heard.unread))

    def _is_so(self, segment: Segment, candidate: Candidate) -> bool:
        """Return whether what something is said to be tells of a change: not ``the mat in it is ugly``."""
        words = dropwhile(lambda w: w not in COPULAS, segment.words)
        words = dropwhile(lambda w: w in COPULAS or says_nothing(w), words)
        said = [*takewhile(lambda w: not self._says_little(w), words)]
        verb = any(map(is_participle, said[:1]))
        return not said or verb or any(self._weight(w, segment, candidate) for w in said)

    def _is_of_another(self, segment: Segment, candidate: Candidate) -> bool:
        """Return whether it is something without a name here that did, or underwent, what a verb tells.

        ``a gull landed on it``, ``spilled coffee on it``: a thing that is only led to then stays as it is.
        """
        led = [segment.roles[at].preposition in _ONTO for at in candidate.meant]
        if not led or not all(led) or segment.passive or segment.copula:
            return False
        said = [w for w in segment.words if not self._says_little(w) and w not in segment.verbs]
        return bool(segment.verbs) and any(not self._weight(w, segment, candidate) for w in said)

    def _is_of_another_part(self, segment: Segment, candidate: Candidate) -> bool:
        """Return whether a part is named that is not the one in the name of what changes."""
        changed = {f.relation for f in (*candidate.made, *candidate.ended)}
        named = any(self.wording.sayings.all[r].done_to for r in changed)
        return named and not all(self._weight(w, segment, candidate) for w in segment.parts_of)

    def _heard(self, segment: Segment, candidate: Candidate) -> _Heard:
        """Return what the words of a segment tell of a change."""
        heard = _Heard()
        for word in dict.fromkeys((*segment.words, *_loose(segment))):
            weight = self._weight(word, segment, candidate)
            heard.told += weight
            if weight:
                continue
            if word in segment.verbs and not _is_light(word, segment):
                heard.unread += 1
                heard.cost += _UNREAD_VERB
            elif not self._says_little(word):
                heard.left += 1
                heard.cost += _UNREAD_VERB if is_verb(word) else _UNREAD
        return heard

    def _weight(self, word: str, segment: Segment, candidate: Candidate) -> float:
        """Return how much a word tells for a change."""
        work = ENDED & {*segment.words}  # "the washing is done"
        if is_going_on(word) and not (work or {*segment.words} & COPULAS):
            return 0.0  # "washing incomplete"
        verb = (word in segment.verbs or bool(work)) and not (is_going_on(word) and not work)
        if self._is_empty(word, verb=verb):
            return 0.0
        if lead_away(word, segment.parts) or _is_purpose(word, segment):
            return 0.0
        return self.evidence.weight(word, candidate, frozenset(segment.words), verb=verb)

    def _is_empty(self, word: str, *, verb: bool) -> bool:
        """Return whether a word tells nothing, or only is one of the names of things here."""
        little = self._says_little(word) and (word in AUXILIARIES or not verb)
        return (little and word not in PARTICLES) or (verb and self._is_name(word))

    def _is_name(self, word: str) -> bool:
        """Return whether a word is the noun by which things here are called: a bar bars nothing."""
        own = self.candidates.referents.denoting.calling.own_words
        return any(word == words[-1] for words in own.values() if words)

    def _says_little(self, word: str) -> bool:
        return word in PARTICLES | AUXILIARIES or self.wording.says_little(word)

    def _built(self, segment: Segment, candidate: Candidate) -> float:
        """Return how much a segment tells by how it is built: ``the net is Ann's``, ``crate to the hall``."""
        whole = len(candidate.meant) == len(segment.roles)
        if self._goes_over(segment, candidate):
            return SURE
        if segment.verbs or not candidate.news or not whole:
            return 0.0
        goes = any(r.preposition in GOING for r in segment.roles)
        joins = segment.copula and len(candidate.meant) > 1 and candidate.deed is None
        return _ENOUGH if goes or joins else 0.0

    def _goes_over(self, segment: Segment, candidate: Candidate) -> bool:
        """Return whether a thing is said to go into or out of another one, whatever verb tells that.

        Who bolts a lamp onto a pole, or unscrews it from there, changes the one relation that they may have;
        so does who hops into a boat himself, and what is signed out to somebody.
        """
        roles = [(segment.roles[at], thing) for at, thing in candidate.meant.items()]
        themes = _done_to(segment, candidate) or _moving(segment, candidate)
        if len(themes) != 1 or not self._is_deed(segment):
            return False
        if self.candidates.is_somebody(themes[0]) and segment.objects():
            return False
        into = {t for r, t in roles if self._leads(r, themes[0], candidate, segment)}
        out = {t for r, t in roles if r.preposition in FROM}
        came = _is_joined(themes[0], into, candidate.made)
        left = _is_joined(themes[0], out, candidate.ended)
        return bool(into or out) and came == bool(into) and left == bool(out)

    def _leads(self, role: Role, theme: str, candidate: Candidate, segment: Segment) -> bool:
        """Return whether a phrase says into what something comes, or ``to`` where or whom."""
        if role.preposition != "to":
            return role.preposition in GOING
        begun = {f.relation for f in candidate.made if not f.is_property}
        if segment.goes_to_whom(self.candidates.is_named_somebody):
            return not begun.isdisjoint(s.relation for s in self.candidates.roles.holding)
        moves = any(classes_of(v, segment.particles) & _MOVING for v in segment.verbs)
        seats = [Seat(relation, at) for relation in begun for at in (0, 1)]
        return moves and any(True for _ in self.candidates.changes.where(theme, seats))

    def _is_deed(self, segment: Segment) -> bool:
        """Return whether a segment tells what was done, and not what was seen or said."""
        return bool(segment.verbs) and not (
            self.candidates.task or any(map(_speaks, segment.verbs))
        )


def _done_to(segment: Segment, candidate: Candidate) -> list[str]:
    """Return to what a segment tells that something is done, of what takes part in a change."""
    told = segment.subjects() if segment.passive else segment.objects()
    return [t for at, t in candidate.meant.items() if any(segment.roles[at] is r for r in told)]


def _moving(segment: Segment, candidate: Candidate) -> list[str]:
    """Return who or what goes somewhere itself by what a segment tells."""
    goes = segment.subjects() if not (segment.objects() or segment.copula) else []
    return [t for at, t in candidate.meant.items() if any(segment.roles[at] is r for r in goes)]


def _is_joined(theme: str, others: set[str], facts: Iterable[Fact]) -> bool:
    """Return whether facts are of a thing and one of some others."""
    return any({f.subject, f.object} == {theme, other} for f in facts for other in others)


def _speaks(verb: str) -> bool:
    return bool(classes_of(verb, frozenset()) & {"observe", "speech", "desire"})


def _loose(segment: Segment) -> list[str]:
    """Return the particles before a preposition: ``out`` of ``the chocks are out on flight 3``."""
    texts = [p.text if isinstance(p, Word) else "" for p in segment.parts]
    return [a for a, b in pairwise(texts) if a in PARTICLES and b in segment.leading]


def _is_named_one(segment: Segment) -> bool:
    """Return whether ``one`` stands for a noun: ``the one by the gate``, not ``one is open``."""
    texts = [p.text if isinstance(p, Word) else "" for p in segment.parts]
    return any(a in DETERMINERS - {"a"} and b == "one" for a, b in pairwise(texts))


def _is_light(verb: str, segment: Segment) -> bool:
    """Return whether a verb only says that something comes to be so, or what for."""
    return verb in ENDED or _is_purpose(verb, segment) or bool(lemmas(verb) & TURNING)


def _observes(verb: str) -> bool:
    """Return whether a verb only tells that somebody saw how things are: ``found it``."""
    return "observe" in classes_of(verb, frozenset())


def _is_purpose(word: str, segment: Segment) -> bool:
    """Return whether a word only tells what for: ``to meet us``."""
    at = segment.words.index(word) if word in segment.words else 0
    return at > 0 and segment.words[at - 1] in ("to", "for")


def _goes_with(one: Candidate, other: Candidate) -> bool:
    """Return whether one of two changes is a part of the other."""
    (made, ended), (more, gone) = one.change, other.change
    return (made <= more and ended <= gone) or (more <= made and gone <= ended)
