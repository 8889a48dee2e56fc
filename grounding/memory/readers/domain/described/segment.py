"""A segment of a sentence: the verb, the noun phrases and how each of them stands to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from commonground.grounding.memory.ontology.words import (
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
    says_nothing,
    states_of,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of

PREPOSITIONS = (
    TO
    | FROM
    | frozenset(["of", "by", "near", "beside", "through", "under", "behind", "next", "past"])
)
THERE = frozenset(["there", "here", "outside", "inside"])
PART_OF = frozenset(["of", "on", "in", "around"])
"""Prepositions of what something is a part of: ``the curtain around the bed``."""
_PLACED = frozenset(["in", "at", "on", "by"])
_GETTING = frozenset(["get", "gets", "got", "getting"])
_BEFORE_NOUN = frozenset(["of", "with", "for", "from", "off", "on", "in", "at", "under"])
"""Prepositions before which no plain form is a verb: ``off air``."""
_WHOSE = OF_IT - {"her"} | {"my", "our", "your"}
IsVerb = Callable[[str], bool]


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
    def has_had(self) -> bool:
        """Return whether somebody has had something, and may have it no more."""
        return "had" in self.words and not {"has", "have"}.isdisjoint(self.words)

    @property
    def is_clause(self) -> bool:
        """Return whether it has a subject and an auxiliary, so that it goes on with no other one."""
        return bool(self.subjects()) and not AUXILIARIES.isdisjoint(self.words)

    def subjects(self) -> list[Role]:
        """Return what stands before the verb, with what is joined to it."""
        return [r for r in self.roles if r.before_verb and not r.preposition]

    def is_possessive(self, role: Role) -> bool:
        """Return whether a pronoun only says whose that is which words tell: ``had her walk``."""
        at = next((n for n, p in enumerate(self.parts) if p is role.phrase), len(self.parts))
        after = text_of(part_after(self.parts, at))
        noun = after.isalpha() and after not in FILLING | PREPOSITIONS | AUXILIARIES
        return role.phrase.pronoun in OF_IT and noun and not says_nothing(after)

    def goes_to_whom(self, is_somebody: Callable[[Role], bool]) -> bool:
        """Return whether something is done by which it goes to somebody: ``is signed out to Ann``."""
        return self.passive and any(r.preposition == "to" and is_somebody(r) for r in self.roles)

    def objects(self) -> list[Role]:
        """Return the objects without a preposition."""
        return [r for r in self.roles if not r.before_verb and not r.preposition]


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
        elif _is_leading(parts, at, is_deed):
            preposition = _led(parts, at, preposition)
            made.leading.append(part.text)
        elif part.text != "and":
            _take_word(made, parts, at, is_deed)
            preposition = preposition if _is_between(parts, at) else ""
    if not made.verbs and text_of(parts[0]) in made.words and _may_order(parts):
        made.verbs.append(text_of(parts[0]))
        for role in made.roles:
            role.before_verb = False
    _judge(made)
    return made


def _is_leading(parts: Sequence[Part], at: int, is_deed: IsVerb) -> bool:
    """Return whether a word is a preposition that leads to a noun phrase."""
    leads = text_of(parts[at]) in PREPOSITIONS and _leads(parts, at)
    return leads and not (_is_switched(parts, at) or _is_particle(parts, at, is_deed))


def _is_switched(parts: Sequence[Part], at: int) -> bool:
    """Return whether ``on`` or ``off`` tells a state before another preposition: ``off in the hall``."""
    after = text_of(part_after(parts, at))
    before = _before(parts, at)
    told = isinstance(before, Phrase) or text_of(before) not in {"", *PREPOSITIONS}
    return text_of(parts[at]) in ("on", "off") and told and after in ("on", "in", "at")


def _is_between(parts: Sequence[Part], at: int) -> bool:
    """Return whether a word may stand between a preposition and its phrase: ``to the lamp shop``."""
    text = text_of(parts[at])
    return text in PARTICLES | DETERMINERS or text_of(_before(parts, at)) in DETERMINERS


def _may_order(parts: Sequence[Part]) -> bool:
    """Return whether a segment begins with a word that is no verb known and has objects as one has."""
    text, after = text_of(parts[0]), part_after(parts, 0)
    known = text in FILLING | PARTICLES | NEGATIONS | DETERMINERS or bool(states_of(text))
    return not known and (isinstance(after, Phrase) or text_of(after) in PREPOSITIONS)


def _role(made: Segment, parts: Sequence[Part], at: int, phrase: Phrase, preposition: str) -> Role:
    """Return the role of a phrase, with the preposition of the one before where it is joined to that."""
    joined = at > 1 and text_of(parts[at - 1]) == "and" and isinstance(parts[at - 2], Phrase)
    if joined and made.roles:
        preposition = made.roles[-1].preposition
    verb_seen = made.verbs or {*made.words} & AUXILIARIES
    return Role(phrase, preposition, not verb_seen, joined)


def _is_there(made: Segment, parts: Sequence[Part], at: int, preposition: str) -> bool:
    """Return whether a word stands for a place: ``left it there``, not ``there is``."""
    begins = text_of(part_after(parts, at)) in COPULAS
    if text_of(parts[at]) in PREPOSITIONS and isinstance(part_after(parts, at), Phrase):
        return False  # "inside the box"
    if (
        text_of(parts[at]) == "here"
        and text_of(part_after(parts, at)) in _PLACED
        and _leads(parts, at + 1)
    ):
        return False  # "here in the hall"
    told = made.roles and text_of(parts[at]) == "there" and {*made.words} & COPULAS  # "it is there"
    return text_of(parts[at]) in THERE and not begins and bool(made.verbs or preposition or told)


def _take_word(made: Segment, parts: Sequence[Part], at: int, is_deed: IsVerb) -> None:
    """Add a word that is in no phrase to a segment."""
    text, before, after = text_of(parts[at]), _before(parts, at), text_of(part_after(parts, at))
    made.words.append(text)
    owned = isinstance(before, Phrase) and before.owner
    on_it = after in PART_OF and _leads(parts, at + 1)
    if owned or (on_it and text_of(before) in DETERMINERS):
        made.parts_of.add(text)
    if is_main_verb(parts, at, is_deed):
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
    verb = text_of(_before(parts, at))
    if verb and text_of(parts[at]) in PARTICLES - TO and is_deed(f"{verb} {text_of(parts[at])}"):
        return True
    if verb in COPULAS and text_of(parts[at]) in FROM and isinstance(part_after(parts, at), Phrase):
        return False  # "is off the lorry"
    classes = classes_of(verb, frozenset())
    there = isinstance(part_after(parts, at), Phrase) and not classes.isdisjoint(("go", "located"))
    return belongs(verb, text_of(parts[at])) and not there


def _led(parts: Sequence[Part], at: int, before: str) -> str:
    """Return the preposition that holds after a word."""
    text = text_of(parts[at])
    if text in ("from", "off") or (text == "of" and at and text_of(parts[at - 1]) in FROM):
        return "from"
    if text == "out":
        return before or "from"
    if text == "of" and before == "from":
        return before
    return before if text == "to" and before == "next" else text


def _leads(parts: Sequence[Part], at: int) -> bool:
    """Return whether a preposition leads to a noun phrase, past other prepositions."""
    after = parts[at + 1 : at + 4]
    if len(after) == 3 and text_of(after[0]) in DETERMINERS and isinstance(after[2], Phrase):
        return not is_verb(text_of(after[1])) and after[2].source[:1] != (
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
    if text_of(parts[at]) not in _GETTING:
        return False
    having = any(text_of(p) in ("has", "have", "had", "still") for p in parts[:at])
    after = part_after(parts, at)
    named = isinstance(after, Phrase) or text_of(after) in DETERMINERS
    return named and not having


def is_main_verb(parts: Sequence[Part], at: int, is_deed: IsVerb) -> bool:
    part, before = parts[at], parts[at - 1] if at else None
    if _is_getting(parts, at):
        return True
    if (
        not isinstance(part, Word)
        or part.text in TO | FROM | NEGATIONS | AUXILIARIES | PARTICLES | DETERMINERS
    ):
        return False
    if _leads_to_noun_only(before, part.text):
        return False
    return (
        is_verb(part.text)
        or is_deed(part.text)
        or (part.text.endswith("ed") and is_participle(part.text))
    )


def _leads_to_noun_only(before: Part | None, text: str) -> bool:
    """Return whether a word is a noun by what is before it: ``its cover``, ``full of weeds``."""
    if isinstance(before, Phrase):
        return before.owner or before.pronoun in _WHOSE
    led = text_of(before) in _BEFORE_NOUN and not (is_participle(text) or is_going_on(text))
    return led or text_of(before) in DETERMINERS | OF_IT


def lead_away(word: str, parts: Sequence[Part]) -> str:
    """Return what leads away from a noun, '' where nothing does: ``out of fuel``, ``from his break``."""
    at = next((n for n, p in enumerate(parts) if text_of(p) == word), 0)
    start = at
    while start and (_leads_to_noun(parts[start - 1])):
        start -= 1
    before = [text_of(p) for p in parts[max(start - 2, 0) : start]]
    lead = "".join(before[:1] if before[-1:] == ["of"] else before[-1:])
    return lead if lead in FROM else ""


def _leads_to_noun(part: Part) -> bool:
    if isinstance(part, Phrase):
        return part.owner or part.pronoun in OF_IT
    return part.text in DETERMINERS | OF_IT


def _before(parts: Sequence[Part], at: int) -> Part | None:
    return parts[at - 1] if at else None


def part_after(parts: Sequence[Part], at: int) -> Part | None:
    return parts[at + 1] if at + 1 < len(parts) else None
