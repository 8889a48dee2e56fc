"""What is dealt out by name: ``check the pallets. Spot takes the ones in the yard, Husky the rest``.

What is to be done is announced for all of them, and each robot is told which are its own. So each is told
what to do with its own, and the announcement is no order any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.fidelity.corrections import intended_in
from commonground.grounding.fidelity.phrases import Said, phrases_in
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.latter import HAVING
from commonground.grounding.language.mentions import Mention
from commonground.grounding.language.put_right import Find, whole
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import ELIDED, Several, Thing, things_in
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import plural, word_set

NumberOf = Callable[[str], int]

_VERB = (
    r"(?:(?:can|could|will|should|shall|must|may|please|you|is\s+to|has\s+to|needs\s+to)\s+)*"
    r"(?:takes?|gets?|does|do|has|have|handles?|covers?|(?:goes\s+|go\s+)?for"
    r"|(?P<verb>inspects?|checks?|examines?|looks?\s+at|visits?|(?:goes|go|drives?|heads?)\s+to))?"
)
PICK = (
    r"(?:all\s+)?(?:the\s+)?(?:(?P<first>first|former)|(?P<second>second|latter|last)"
    r"|(?P<rest>rest|others|(?:other|remaining)\s+(?:ones|two|three|four|five)|everything\s+else|what(?:ever)?(?:\s+is|'s)\s+left)"
    r"|(?P<other>other))(?:\s+ones?)?"
)
"""Some of those announced."""
_PICK = re.compile(rf"{PICK}(?=\s*(?:[.,;!?)]|$)|\s+and\b)", re.IGNORECASE)
_JOINT = re.compile(r"\s*(?:[,;.]|\band\b|\bwhile\b|\bbut\b|\s)*\s*", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.;!?\n:]*[.;!?\n:]*\s*")
_ONE = re.compile(r"\bone(?P<many>s?)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b(?:two|three|four|five)\b", re.IGNORECASE)
_INSPECTIONS = frozenset(["inspections", "checks", "checkups"])
_ABOUT = re.compile(r"\s*(?:(?:out\s+)?of|as\s+(?:for|to))\s+$", re.IGNORECASE)
"""Before what is only spoken of: ``of the two bins``."""
_GOING = frozenset(["VISIT", "ENTER"])
_LIMITING = NEGATIONS | word_set(
    "if when then first before after until till once or only most half except"
)
"""With these an announcement may say more than what is to be done with what."""


class _Deal(NamedTuple):
    """A robot, and what of all is its own."""

    start: int
    end: int
    who: str
    what: str
    kind: str
    """``first``, ``second``, ``rest`` or ``other`` of those announced; ``ones`` of them; or ``named``."""
    nouns: frozenset[str] = frozenset()
    """What it is called, where it is named."""
    verb: str = ""


class _Announced(NamedTuple):
    """Where it is announced what is to be done, and with what."""

    start: int
    end: int
    what: Mention | None
    deed: str
    """``inspect`` or ``visit``; empty where only things are spoken of."""


def dealt(text: str, find: Find, robots: Sequence[str], number_of: NumberOf) -> str:
    """Return a text that tells each robot to inspect its own, where those are dealt out by name.

    ``number_of`` tells how many things the map has that are called so: what is announced must be so many.
    """
    if intended_in(text, robots):
        return text  # what was only meant is announced to nobody
    deals = _deals(text, [whole(one, text) for one in find(text)], robots)
    if len(deals) < 2:
        return text
    for start, end in _beside(text, deals[0].start, deals[-1].end):
        announced = _announced(text, start, end, find, robots)
        if announced is not None and not _is_miscounted(announced, number_of):
            return _told(text, deals, announced)
    return text


def _beside(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences right before and right behind what is dealt out."""
    before = [one.span() for one in _SENTENCE.finditer(text, 0, first) if one[0].strip()]
    yield from before[-1:]
    joint = _JOINT.match(text, last)
    after = _SENTENCE.match(text, joint.end() if joint else last)
    if after:
        yield after.span()


def _told(text: str, deals: Sequence[_Deal], announced: _Announced) -> str:
    """Return a text that tells each robot what to inspect; the text itself where that is not plain."""
    shares, done = [], announced.deed
    for deal in deals:
        done = deed_of(deal.verb) or done
        share = _share(deal, deals, announced, text)
        if not share or not done:
            return text
        shares.append(f"{deal.who}, {done} {share}.")
    orders = " ".join(shares)
    start, end = min(deals[0].start, announced.start), max(deals[-1].end, announced.end)
    return f"{text[:start]}{orders} {text[end:].lstrip(' .,;')}".rstrip()


def _deals(text: str, named: Sequence[Mention], robots: Sequence[str]) -> list[_Deal]:
    """Return what robots are dealt out, one after the other."""
    call = re.compile(rf"\b(?P<who>{any_of(robots)})\b\s*[,:]?\s*{_VERB}\s*", re.IGNORECASE)
    found: list[_Deal] = []
    for who in call.finditer(text):
        deal = _deal(text, who, named)
        if deal is None:
            continue
        joint = _JOINT.fullmatch(text, found[-1].end, deal.start) if found else True
        found = [*found, deal] if joint else [deal]
        same = [k for k, one in enumerate(found[:-1]) if one.who.casefold() == deal.who.casefold()]
        found = found[same[-1] + 1 :] if same else found
    return found


def _deal(text: str, who: re.Match[str], named: Sequence[Mention]) -> _Deal | None:
    pick = _PICK.match(text, who.end())
    if pick:
        own = who["verb"] or ""
        return _Deal(who.start(), pick.end(), who["who"], pick[0], pick.lastgroup or "", verb=own)
    for one in named:
        if one.start == who.end():
            elided = isinstance(one.what, Thing) and one.what.noun == ELIDED
            kind = "ones" if elided else "named"
            words, own = text[one.start : one.end], who["verb"] or ""
            return _Deal(who.start(), one.end, who["who"], words, kind, _nouns(one), own)
    return None


def _nouns(named: Mention) -> frozenset[str]:
    return frozenset(thing.noun for thing in things_in(named.what) if thing.noun)


def _announced(
    text: str, start: int, end: int, find: Find, robots: Sequence[str]
) -> _Announced | None:
    """Return what a sentence announces, if it says no more than what is to be inspected or visited."""
    said = tokenize(text[start:end])
    words = {token.text for token in said}
    deeds = {_deed(one) for one in phrases_in(said, DEEDS) if one.words not in HAVING}
    crew = words & {*map(str.casefold, robots)}
    plain = _LIMITING.isdisjoint(words) and crew in (set(), {*map(str.casefold, robots)})
    things = [one for one in find(text) if start <= one.start < end]
    done = next(iter(deeds), "" if _INSPECTIONS.isdisjoint(words) else "inspect")
    spoken_of = things and _ABOUT.fullmatch(text, start, things[0].start)
    if len(deeds) > 1 or done is None or not plain or len(things) > 1 or not (done or spoken_of):
        return None
    return _Announced(start, end, things[0] if things else None, done)


def _is_miscounted(announced: _Announced, number_of: NumberOf) -> bool:
    """Return whether a text speaks of another number of things than there are."""
    what = announced.what.what if announced.what else None
    if not isinstance(what, Thing) or what.where or what.color:
        return False
    said = {what.total, what.count} - {None, 1}  # every one
    return bool(said) and number_of(what.noun) not in said


def deed_of(words: str) -> str | None:
    """Return what words for a deed come to, ``inspect`` or ``visit``."""
    said = phrases_in(tokenize(words), DEEDS)
    return _deed(said[0]) if said else None


def _deed(said: Said) -> str | None:
    kinds = {kind for kind, _ in said.senses}
    if kinds <= LOOKING:
        return "inspect"
    return "visit" if kinds <= _GOING else None


def _share(deal: _Deal, deals: Sequence[_Deal], announced: _Announced, text: str) -> str:
    """Return what is a robot's own in words that need no others; empty where that is not plain."""
    if deal.kind == "named":
        known = announced.what is None or deal.nouns <= _nouns(announced.what)
        known = known and not (deal.verb and announced.deed and not deal.nouns)
        return deal.what if known else ""
    if announced.what is None:
        return ""
    what = announced.what.what
    if isinstance(what, Several) and deal.kind in ("first", "second", "other"):
        return _picked(deal, deals, [*_pair(announced.what, text)])
    if not isinstance(what, Thing) or not what.noun or what.color or what.but:
        return ""
    return _of_them(deal, len(deals), what, text[announced.what.start : announced.what.end])


def _of_them(deal: _Deal, deals: int, what: Thing, words: str) -> str:
    """Return which of what is announced are a robot's own."""
    noun, behind = plural(what.noun), _behind(words, what)
    if behind is None or (behind and deal.kind == "ones" and _is_placed(deal.what)):
        return ""
    if deal.kind == "ones":
        one_each = deals in (what.count, what.total)
        single = what.noun if one_each else noun
        named = _ONE.sub(lambda one: noun if one["many"] else what.noun, deal.what)
        return (named if named != deal.what else f"{named} {single}") + behind
    if deal.kind == "rest":
        number = _NUMBER.search(deal.what)
        return f"the other {f'{number[0]} ' if number else ''}{noun}{behind}"
    two = deals == 2 and 2 in (what.count, what.total)
    return f"the other {what.noun}{behind}" if deal.kind == "other" and two else ""


def _is_placed(words: str) -> bool:
    return re.search(r"\bones?\s+\w", words, re.IGNORECASE) is not None


def _behind(words: str, what: Thing) -> str | None:
    """Return what stands behind the noun of a phrase."""
    if not what.where:
        return ""
    noun = re.search(rf"\b(?:{re.escape(what.noun)}|{re.escape(plural(what.noun))})\b", words, re.I)
    return words[noun.end() :] if noun else None


def _pair(what: Mention, text: str) -> Iterator[str]:
    """Yield the two things that are announced."""
    if isinstance(what.what, Several) and len(what.what.things) == 2:
        for words in re.split(r"\s+and\s+", text[what.start : what.end], flags=re.IGNORECASE):
            yield re.sub(r"^(?:an?|the)?\s*", "the ", words.strip(), flags=re.IGNORECASE)


def _picked(deal: _Deal, deals: Sequence[_Deal], pair: Sequence[str]) -> str:
    """Return which of two is a robot's own."""
    if len(pair) != 2 or len(deals) != 2:
        return ""
    places = {"first": 0, "second": 1}
    other = next(one for one in deals if one is not deal)
    if deal.kind != "other":
        return pair[places[deal.kind]]
    return pair[1 - places[other.kind]] if other.kind in places else ""
