"""Sentences of noun phrases and words → segments that each tell one thing, with who does what to what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from commonground.grounding.memory.domain.described.phrase import Part, Phrase
from commonground.grounding.memory.domain.words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    FILLING,
    FROM,
    NEGATIONS,
    OF_IT,
    PARTICLES,
    TO,
    Word,
    belongs,
    classes_of,
    is_going_on,
    is_participle,
    is_verb,
    states_of,
)

_HARD = frozenset([";", ":", ".", "-", "–"])
_SOFT = frozenset([",", "and", "but", "then", "so", "while"])
PREPOSITIONS = (
    TO | FROM | frozenset(["of", "by", "near", "beside", "through", "under", "behind", "next"])
)
THERE = frozenset(["there", "here", "outside", "inside"])
PART_OF = frozenset(["of", "on", "in", "around"])
"""Prepositions of what something is a part of: ``the curtain around the bed``."""
_PLACED = frozenset(["in", "at", "on", "by"])
_GETTING = frozenset(["get", "gets", "got", "getting"])
IsVerb = Callable[[str], bool]
Kin = Callable[[Phrase, Phrase], bool]


@dataclass(slots=True)
class Role:
    """A noun phrase in a segment, with the preposition before it."""

    phrase: Phrase
    preposition: str = ""
    before_verb: bool = False
    joined: bool = False
    """It stands in a list with the one before."""
    used: bool = False


@dataclass(slots=True)
class Segment:
    """A part of a sentence that tells one thing."""

    parts: list[Part]
    roles: list[Role] = field(default_factory=list)
    verbs: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """All words that are in no noun phrase, but for the prepositions before these."""
    leading: list[str] = field(default_factory=list)
    """The prepositions before noun phrases."""
    parts_of: set[str] = field(default_factory=set)
    """Words for what is on or of a named thing, and may be a part of it."""
    copula: bool = False
    passive: bool = False
    negated: bool = False

    @property
    def verb(self) -> str:
        """Return the main verb, '' where there is none."""
        return self.verbs[0] if self.verbs else ""

    @property
    def particles(self) -> frozenset[str]:
        """Return the particles that may belong to the verb."""
        return frozenset((*self.words, *self.leading)) & PARTICLES

    @property
    def is_clause(self) -> bool:
        """Return whether it has a subject and an auxiliary, so that it goes on with no other one."""
        return bool(self.subjects()) and not AUXILIARIES.isdisjoint(self.words)

    def subjects(self) -> list[Role]:
        """Return what stands before the verb, with what is joined to it."""
        return [r for r in self.roles if r.before_verb and not r.preposition]

    def objects(self) -> list[Role]:
        """Return the objects without a preposition."""
        return [r for r in self.roles if not r.before_verb and not r.preposition]


def segments_of(parts: Sequence[Part], is_deed: IsVerb, kin: Kin) -> list[list[Part]]:
    """Return the parts of a sentence in segments; ``kin`` tells phrases that may stand in one list."""
    found: list[list[Part]] = [[]]
    for at, part in enumerate(parts):
        text = _text(part)
        if text == "," and _adds_place(parts, at, found[-1], kin):
            begins = isinstance(found[-1][-1], Phrase)
            found += [[]] if begins else []
            found[-1].append(Word("at"))
        elif text in _SOFT and _is_list(parts, at, found[-1], is_deed, kin):
            found[-1].append(Word("and"))
        elif text in _HARD | _SOFT:
            found += [] if _goes_on(parts, at, found[-1], is_deed) else [[]]
        else:
            found += [[]] if _goes_along(found[-1], text, is_deed) else []
            found[-1].append(part)
    return [segment for segment in found if segment]


def _is_list(
    parts: Sequence[Part], at: int, segment: Sequence[Part], is_deed: IsVerb, kin: Kin
) -> bool:
    """Return whether a joining word stands between two noun phrases of one list."""
    before, after = segment[-1:], parts[at + 1 : at + 2]
    named = [p for p in (*before, *after) if isinstance(p, Phrase)]
    if len(named) != 2 or named[1].pronoun in ("he", "she", "it", "they") or not kin(*named):
        return False
    beyond = _next(parts, at + 1)
    joins = _text(parts[at]) == "and"
    told = any(_tells(segment, n, is_deed) for n in range(len(segment)))
    return joins or not told or beyond is None


def _adds_place(parts: Sequence[Part], at: int, segment: Sequence[Part], kin: Kin) -> bool:
    """Return whether a line only names where what it tells of is: ``lamp 5 hung, bar 3``."""
    after = _alone(parts, at + 1)
    if after is None:
        return False
    named, texts = [p for p in segment if isinstance(p, Phrase)], [*map(_text, segment)]
    terse = named and AUXILIARIES.isdisjoint(texts) and DETERMINERS.isdisjoint(texts)
    told = len(segment) > len(named) and (texts[-1] or not PREPOSITIONS.isdisjoint(texts))
    return bool(terse and told) and not any(kin(p, after) for p in named)


def _alone(parts: Sequence[Part], at: int) -> Phrase | None:
    """Return the phrase at a place where it stands between marks by itself."""
    phrase, beyond = parts[at] if at < len(parts) else None, _next(parts, at)
    ends = beyond is None or _text(beyond) in _HARD | _SOFT
    named = isinstance(phrase, Phrase) and not phrase.pronoun and bool(phrase.things)
    return phrase if ends and named and isinstance(phrase, Phrase) else None


def _goes_along(segment: Sequence[Part], text: str, is_deed: IsVerb) -> bool:
    """Return whether a participle begins what is done at the same time: ``in the hall holding the key``."""
    if len(segment) < 2 or not is_going_on(text) or not isinstance(segment[-1], Phrase):
        return False
    done = sum(isinstance(p, Phrase) for p in segment) > 1
    placing = "located" in classes_of(text, frozenset())
    return done and not placing and (is_deed(text) or is_verb(text))


def _goes_on(parts: Sequence[Part], at: int, segment: Sequence[Part], is_deed: IsVerb) -> bool:
    """Return whether what follows only tells where goes what a segment takes away: ``into the hall``."""
    away = any(_text(p) in FROM for p in segment) and any(isinstance(p, Phrase) for p in segment)
    begins = _text(_next(parts, at)) in PREPOSITIONS | PARTICLES
    if not (away and begins) or _text(parts[at]) in _HARD:
        return False
    for n in range(at + 1, len(parts)):
        if _text(parts[n]) in _HARD | _SOFT:
            return True
        if _text(parts[n]) in AUXILIARIES or _is_main(parts, n, is_deed):
            return False
    return True


def _tells(parts: Sequence[Part], at: int, is_deed: IsVerb) -> bool:
    """Return whether a word is one by which a segment tells something."""
    return _text(parts[at]) in AUXILIARIES | PREPOSITIONS or _is_main(parts, at, is_deed)


def segment(parts: Sequence[Part], is_deed: IsVerb) -> Segment:
    """Return a segment with its roles, verbs and other words."""
    made = Segment([*parts])
    preposition = ""
    for at, part in enumerate(parts):
        if isinstance(part, Phrase):
            made.roles.append(_role(made, parts, at, part, preposition))
            preposition = ""
        elif _is_there(made, parts, at, preposition):
            there = Phrase((part.text,), pronoun="there")
            made.roles.append(Role(there, preposition or "in"))
            preposition = ""
        elif (
            part.text in PREPOSITIONS and _leads(parts, at) and not _is_particle(parts, at, is_deed)
        ):
            preposition = _led(parts, at, preposition)
            made.leading.append(part.text)
        elif part.text != "and":
            _take_word(made, parts, at, is_deed)
            preposition = preposition if _is_between(parts, at) else ""
    if not made.verbs and _text(parts[0]) in made.words and _may_order(parts):
        made.verbs.append(_text(parts[0]))
        for role in made.roles:
            role.before_verb = False
    _judge(made)
    return made


def _is_between(parts: Sequence[Part], at: int) -> bool:
    """Return whether a word may stand between a preposition and its phrase: ``to the lamp shop``."""
    text = _text(parts[at])
    return text in PARTICLES | DETERMINERS or _text(_before(parts, at)) in DETERMINERS


def _may_order(parts: Sequence[Part]) -> bool:
    """Return whether a segment begins with a word that is no verb known and has objects as one has."""
    text, after = _text(parts[0]), _next(parts, 0)
    known = text in FILLING | PARTICLES | NEGATIONS | DETERMINERS or bool(states_of(text))
    return not known and (isinstance(after, Phrase) or _text(after) in PREPOSITIONS)


def _role(made: Segment, parts: Sequence[Part], at: int, phrase: Phrase, preposition: str) -> Role:
    """Return the role of a phrase, with the preposition of the one before where it is joined to that."""
    joined = at > 1 and _text(parts[at - 1]) == "and" and isinstance(parts[at - 2], Phrase)
    if joined and made.roles:
        preposition = made.roles[-1].preposition
    verb_seen = made.verbs or {*made.words} & AUXILIARIES
    return Role(phrase, preposition, not verb_seen, joined)


def _is_there(made: Segment, parts: Sequence[Part], at: int, preposition: str) -> bool:
    """Return whether a word stands for a place: ``left it there``, not ``there is``."""
    begins = _text(_next(parts, at)) in COPULAS
    if _text(parts[at]) in PREPOSITIONS and isinstance(_next(parts, at), Phrase):
        return False  # "inside the box"
    if _text(parts[at]) == "here" and _text(_next(parts, at)) in _PLACED and _leads(parts, at + 1):
        return False  # "here in the hall"
    return _text(parts[at]) in THERE and not begins and bool(made.verbs or preposition)


def _take_word(made: Segment, parts: Sequence[Part], at: int, is_deed: IsVerb) -> None:
    """Add a word that is in no phrase to a segment."""
    text, before, after = _text(parts[at]), _before(parts, at), _text(_next(parts, at))
    made.words.append(text)
    owned = isinstance(before, Phrase) and before.owner
    on_it = after in PART_OF and _leads(parts, at + 1)
    if owned or (on_it and _text(before) in DETERMINERS):
        made.parts_of.add(text)
    if _is_main(parts, at, is_deed):
        made.verbs.append(text)


def _judge(made: Segment) -> None:
    """Tell voice and negation of a segment."""
    words = {*made.words}
    made.copula = not made.verbs and bool(words & COPULAS)
    made.passive = _is_passive(made, words)
    made.negated = sum(w in ("not", "never", "no", "nothing") for w in made.words) % 2 == 1
    for role in made.roles[1:] if not (made.verbs or words & AUXILIARIES) else ():
        role.before_verb = role.joined


def _is_passive(made: Segment, words: set[str]) -> bool:
    """Return whether something is done to what a segment is about."""
    if not (made.verbs and is_participle(made.verb) and made.subjects()):
        return False
    if words & (COPULAS | {"got", "get", "gets"}):
        return "been" in words or "go" not in classes_of(made.verb, frozenset())
    return not words & AUXILIARIES and (not made.objects() or made.verb.endswith("ed"))


def _is_particle(parts: Sequence[Part], at: int, is_deed: IsVerb) -> bool:
    """Return whether a word belongs to the verb before it: ``switched on the mill``."""
    verb = _text(_before(parts, at))
    if verb and _text(parts[at]) in PARTICLES - TO and is_deed(f"{verb} {_text(parts[at])}"):
        return True
    if verb in COPULAS and _text(parts[at]) in FROM and isinstance(_next(parts, at), Phrase):
        return False  # "is off the lorry"
    classes = classes_of(verb, frozenset())
    there = isinstance(_next(parts, at), Phrase) and not classes.isdisjoint(("go", "located"))
    return belongs(verb, _text(parts[at])) and not there


def _led(parts: Sequence[Part], at: int, before: str) -> str:
    """Return the preposition that holds after a word."""
    text = _text(parts[at])
    if text in ("from", "off") or (text == "of" and at and _text(parts[at - 1]) in FROM):
        return "from"
    if text == "out":
        return before or "from"
    if text == "of" and before == "from":
        return before
    return before if text == "to" and before == "next" else text


def _leads(parts: Sequence[Part], at: int) -> bool:
    """Return whether a preposition leads to a noun phrase, past other prepositions."""
    after = parts[at + 1 : at + 4]
    if len(after) == 3 and _text(after[0]) in DETERMINERS and isinstance(after[2], Phrase):
        return not is_verb(_text(after[1])) and after[2].source[:1] != (
            "the",
        )  # "to the lamp shop"
    for part in parts[at + 1 :]:
        if isinstance(part, Phrase) or part.text in THERE:
            return True
        if part.text not in PREPOSITIONS | PARTICLES | {"right", "back", "over", "just"}:
            return False
    return False


def _is_getting(parts: Sequence[Part], at: int) -> bool:
    """Return whether ``get`` is a verb of its own: ``gets the cello out``, not ``has got``."""
    having = any(_text(p) in ("has", "have", "had", "still") for p in parts[:at])
    after = _next(parts, at)
    named = isinstance(after, Phrase) or _text(after) in DETERMINERS
    return _text(parts[at]) in _GETTING and named and not having


def _is_main(parts: Sequence[Part], at: int, is_deed: IsVerb) -> bool:
    part, before = parts[at], parts[at - 1] if at else None
    if _is_getting(parts, at):
        return True
    if (
        not isinstance(part, Word)
        or part.text in TO | FROM | NEGATIONS | AUXILIARIES | PARTICLES | DETERMINERS
    ):
        return False
    if isinstance(before, Word) and before.text in DETERMINERS | OF_IT:
        return False
    if isinstance(before, Phrase) and before.owner:
        return False
    return (
        is_verb(part.text)
        or is_deed(part.text)
        or (part.text.endswith("ed") and is_participle(part.text))
    )


def _text(part: Part | None) -> str:
    return part.text if isinstance(part, Word) else ""


def _before(parts: Sequence[Part], at: int) -> Part | None:
    return parts[at - 1] if at else None


def _next(parts: Sequence[Part], at: int) -> Part | None:
    return parts[at + 1] if at + 1 < len(parts) else None
