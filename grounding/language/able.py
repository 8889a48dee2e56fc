"""Robots that are told apart by what they can do: ``all robots that can carry``, ``those with an arm``.

Who can do what is known of each robot. So where several are meant, the text is read with all their names;
where it is not plain who they are, it is asked, and never is one taken for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.tokens import Token, tokenize
from commonground.grounding.language.vocabulary import vocabulary
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.wording import listing
from commonground.grounding.words.nouns import word_set
from commonground.robots import Team

_ONE = word_set("robot unit machine agent one")
_MANY = word_set("robots units machines agents ones those all everyone everybody")
_SPOKEN_TO = word_set("you them")
_EACH = word_set("all both every each those these")
_OPEN = word_set("a an any some either neither no none not other another whichever whatever")
_OF = word_set("the of you them our my these those")
_AFTER = word_set(
    "to should shall must will would can could may might ought need needs have has had are is do does don't "
    "and or but please go come return drive head move stay wait keep stand in instead"
)
"""What may come after what robots can do, besides what they are to do."""
_ABILITY = {"CAN_PICK": "pick", "CAN_INSPECT": "inspect", "ARM": "pick"}
_OPENING = {
    "CAN": ("CAN_", False), "CANNOT": ("CAN_", True), "WITH_ARM": ("ARM", False), "NO_ARM": ("ARM", True)
}  # fmt: skip
"""What begins a description: what has to follow, and whether it says what robots can not do."""
_RELATIVE = word_set("that who which")
_TELLING = word_set("can could may is are has have does do lacks lack knows know")
"""After these something is told of robots that are meant otherwise: ``until everyone has gone``."""


class Described(NamedTuple):
    """Robots by what they can do, as a text has them."""

    start: int
    end: int
    """Tokens."""
    many: bool
    number: int
    """How many the text says there are; 0 where it does not."""
    can: str
    """The ability; empty where it is none that robots have."""
    lacks: bool


def named_by_ability(text: str, team: Team) -> str:
    """Return a text in which robots that can or cannot do something have their names; Unclear to ask."""
    tokens = tokenize(text)
    for one in reversed([*_described(tokens)]):
        said = text[tokens[one.start].start : tokens[one.end - 1].end]
        fit = [r.name for r in team if one.can and r.can(one.can) != one.lacks]
        everybody = [*team.robots]
        if not one.can:
            raise Unclear(f"Which robots are '{said}'? There are {listing(everybody)}.", everybody)
        if not fit:
            raise Unclear(f"None of {listing(everybody)} is of '{said}'. Who is meant?", everybody)
        if one.number not in (0, len(fit)) or (not one.many and len(fit) > 1):
            raise Unclear(f"'{said}' fits {listing(fit)}. Who is meant?", fit)
        if one.many:
            before, behind = text[: tokens[one.start].start], text[tokens[one.end - 1].end :]
            text = before + listing(fit, limit=len(fit)) + behind
    return text


def _described(tokens: Sequence[Token]) -> Iterator[Described]:
    at = 0
    while at < len(tokens):
        found = _described_by(tokens, at)
        if found is not None:
            yield found
        at = found.end if found is not None else at + 1


def _described_by(tokens: Sequence[Token], at: int) -> Described | None:
    """Return the robots whose description by an ability begins at a token, if there are any before it."""
    head = _head(tokens, at)
    if head is None:
        return None
    start, many, count = head
    for end, can, lacks in _abilities([t.text for t in tokens], at):
        if _is_over(tokens, end):
            return Described(start, end, many, count, can, lacks)
    opening = [end for end, *_ in _openings([t.text for t in tokens], at)]
    end = max(opening, default=at)
    if many and end > at and _is_unknown(tokens, at, end):
        return Described(start, end + 1, many, count, "", False)
    return None


def _head(tokens: Sequence[Token], at: int) -> tuple[int, bool, int] | None:
    """Return where the robots before a token begin, whether several are meant, and how many there are."""
    noun = tokens[at - 1].text if at else ""
    if noun not in _ONE | _MANY | _SPOKEN_TO:
        return None
    start, count = at - 1, 0
    while start and _goes_on(tokens[start - 1], tokens[start]):
        start -= 1
        count = int(tokens[start].value) or count
    before = {token.text for token in tokens[start : at - 1]}
    many = noun in _MANY or bool(before & _EACH) or count > 1
    if count == 1 or _is_open(before, noun) or (noun in _SPOKEN_TO and not many):
        return None
    return start, many, 2 if "both" in before else count


def _goes_on(before: Token, token: Token) -> bool:
    """Return whether a word before others is of the same phrase: ``both of the | robots``."""
    if before.text == "one":
        return token.text in _OF | _MANY
    return before.kind == "number" or before.text in _EACH | _OPEN | _OF


def _is_open(before: AbstractSet[str], noun: str) -> bool:
    """Return whether it is left open which robot is meant, or nobody is: ``one of the robots``."""
    every = before == {"any"} and noun in _MANY
    return "one" in before or (bool(before & _OPEN) and not every)


def _openings(words: Sequence[str], at: int) -> Iterator[tuple[int, str, bool]]:
    """Yield the ends of what begins a description at a word, what has to follow, and whether it denies."""
    if words[at] in _TELLING:
        return
    for begin in (at, at + 1) if words[at] in _RELATIVE else (at,):
        for end, category, _, _ in vocabulary()[0].matches(words, begin):
            if category in _OPENING:
                yield (end, *_OPENING[category])


def _abilities(words: Sequence[str], at: int) -> Iterator[tuple[int, str, bool]]:
    """Yield what robots are said to be able to do, or not, from a word on; the longest first."""
    found = [
        (end, _ABILITY[category], lacks)
        for opened, needs, lacks in _openings(words, at)
        for end, category, _, _ in vocabulary()[0].matches(words, opened)
        if category in _ABILITY and category.startswith(needs)
    ]
    return iter(sorted(found, reverse=True))


def _is_over(tokens: Sequence[Token], end: int) -> bool:
    """Return whether a description ends before a token, and has no thing of its own."""
    if end >= len(tokens) or tokens[end].kind == "mark" or tokens[end].text in _AFTER:
        return True
    return any(said.start == tokens[end].start for said in phrases_in(tokens, DEEDS))


def _is_unknown(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Return whether a description that begins goes on with what is no ability: ``with wheels``."""
    if end >= len(tokens) or tokens[end].kind != "word":
        return False
    if tokens[at].text not in ("with", "without"):
        return True
    word = tokens[end].text  # ``with care`` tells how, and no robots apart
    return word in ("a", "an") or (word.endswith("s") and not word.endswith("ss"))
