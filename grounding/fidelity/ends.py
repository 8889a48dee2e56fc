"""Who is to wait, somewhere or for another, or to hold something: the meaning has it, or lost it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonground.grounding.fidelity.harm import OBJECTS
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.phrases import Said
from commonground.grounding.meaning import Act, Reference, Thing, Who
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import word_set

_KINDS = frozenset(["STAY", "END", "PICK", "HOLDING", "PUT", "AVOID", "OMIT", "MOVE", "INSPECT"])
_ENDING = frozenset(["STAY", "END", "RETURN"])
_STARTING = word_set("back home base start started starting began begin beginning")
"""With these somebody comes back to where it was at first."""
STAYING = frozenset(["wait", "stay", "remain", "linger", "park"])
"""Verbs of staying as orders have them; ``hold`` and ``stand`` may be other things."""
_PLACED = frozenset(
    ["there", "at", "by", "in", "on", "with", "next", "beside", "near", "here", "put", "right", "inside",
     "outside", "within", "under", "behind", "between", "alongside", "opposite"]
)  # fmt: skip
_BY_IT = re.compile(
    rf"\b(?:{'|'.join(STAYING)}|stand)(?:s|ing)? (?:\w+ )?"
    r"(?:at|by|with|near|beside|alongside|behind|under|inside|in|on|next to|close to|in front of)"
    r" (?:it|them|that one)\b"
)
"""To stay by what was spoken of, which is not where a robot is."""
_LEFT = re.compile(r"\b(?:stays|remains?) (?:put|where it|where they|where that)\b")
_SENDING = frozenset(["go", "and"])
"""Behind these to stand somewhere is an order: ``go stand by the gate``."""
_HERE = frozenset(["here", "put", "right"])
"""In or behind a verb of staying these name no other place than where a robot is."""
_WANTING = frozenset(["need", "needs", "want", "wants", "have", "like"])
_WAITING = frozenset(["waiting", "standing", "parked", "stationed"])
_HANDS = word_set("hand hands grip gripper hold arms")
_HOLDING = frozenset(["holding", "carrying", "gripping"])
_DENIED = frozenset(
    ["not", "never", "no", "without", "until", "till", "who", "where", "which", "that", "will"]
)
_BEFORE = (
    r"(?:before|after|until|till|once|when|whenever|as\s+soon\s+as|then|afterwards?|next|later)"
)
_SERIES = re.compile(
    r"\b(?:afterwards?|next|second|later|last|third|after\s+(?:him|her|that|them))\s*(?:[.;,!?]|and\b|$)",
    re.I,
)
_FIRST = re.compile(r"\bfirst\b(?!\s+(?:one|of|\w+\s+(?:on|in|by|from)\b))", re.IGNORECASE)
_DONE = re.compile(
    r"\b(?:when|once|after|as\s+soon\s+as|until)\s+(?:that|this|it|(?:he|she|they)(?:\s+(?:is|are|has|have))?)"
    r"(?:'s|\s+is|\s+has\s+been)?\s*(?:done|finished|ready|through|over|there|back|checked|inspected)\b",
    re.IGNORECASE,
)


def lost_ends(held: Held) -> Iterator[str]:
    """Yield where a text orders to wait and nobody does, or wants something held and nothing is taken."""
    yield from _lost_stays(held)
    waits = next((w for at, w in enumerate(held.words) if _is_wanted_waiting(held, at)), "")
    if waits and not any(act.do == "be" for act in held.acts):
        yield f"the text says '{waits}', and nobody does"
    takes = any(act.do in ("pick", "take") for act in held.parts(Act))
    yield from _odd_ends(held, takes=takes)
    able = any(who.can for who in held.parts(Who))
    held_on = (w for w, behind in pairwise(held.words) if w in _HOLDING and behind in OBJECTS)
    holds = next(held_on, "")
    if holds and not takes and not able:
        yield f"the text says '{holds}', and nothing is taken up"


def _odd_ends(held: Held, *, takes: bool) -> Iterator[str]:
    """Yield where an answer ends that no text can mean: here unsaid, or at what is held."""
    ends = [act.what for act in held.acts if act.do in ("be", "go")]
    here = [what for what in ends if _is(what, "here")]
    if here and not _is_staying(held):
        yield "nothing in the text says that anybody stays"
    if _LEFT.search(held.line) and len(here) < len(ends):
        yield "the text only says of a thing that it stays"
    if here == ends:
        yield from (f"the text says '{by[0]}', and nobody ends there" for by in _by_it(held, here))
    if takes and any(_is(what, "it", "them") for what in ends):
        yield "nobody ends at what is held"


def _by_it(held: Held, here: Sequence[Reference]) -> Iterator[re.Match[str]]:
    return _BY_IT.finditer(held.line) if here else iter(())


def _is_staying(held: Held) -> bool:
    """Return whether somebody may be told to stay, or to come back; to stay out of somewhere is neither."""
    verbs = (kind for said in held.phrases(_KINDS | _ENDING) for kind, _ in said.senses)
    return not (_STARTING.isdisjoint(held.words) and _ENDING.isdisjoint(verbs))


def _is(what: Reference, *back: str) -> bool:
    """Return whether a phrase only refers back, in one of some ways."""
    return isinstance(what, Thing) and what.of in back and not what.noun


def _lost_stays(held: Held) -> Iterator[str]:
    ends = [act.what for act in held.acts if act.do == "be"]
    elsewhere = any(not (isinstance(what, Thing) and what.of == "here") for what in ends)
    named = {word for what in held.parts(Thing) for word in what.noun.casefold().split()[1:]}
    for deed in _told(held):
        if deed.words.split()[0] in named:
            continue  # a car park
        here = not _HERE.isdisjoint((deed.words.split()[-1], deed.next))
        if not (elsewhere or (ends and here)):
            yield f"the text says '{deed.words}', and nobody does"


def _is_wanted_waiting(held: Held, at: int) -> bool:
    """Return whether somebody is wanted to wait: ``I need you waiting at the gate``."""
    wanted = at > 1 and (held.words[at - 2] in _WANTING or held.words[at - 1] == "mind")
    return wanted and held.words[at] in _WAITING and held.tokens[at - 1].kind == "word"


def _told(held: Held) -> Iterator[Said]:
    """Yield the verbs of staying somewhere that are orders."""
    for deed in held.phrases(_KINDS):
        words, at = deed.words.split(), held.at(deed)
        begin, end = held.clause(at)
        behind = [deed.next, *(held.words[at + 3 : min(at + 4, end)] if deed.next == "for" else [])]
        bare = held.word(at - 1) == "and" and deed.next in ("", *".,;!?")
        placed = bare or words[-1] in _PLACED or not _PLACED.isdisjoint(behind)
        stays = words[0].removesuffix("s").removesuffix("ed") in STAYING
        if not placed or not (stays or (words[0] == "stand" and held.word(at - 1) in _SENDING)):
            continue
        if _is_of_no_robot(held, deed):
            continue
        before = pairwise(("", *held.words[begin:at]))
        if _DENIED.isdisjoint(word for lead, word in before if lead != "with"):  # with that box
            yield deed


def _is_of_no_robot(held: Held, deed: Said) -> bool:
    """Return whether what is held stays (``it stays in your hand``), or who stays out of somewhere."""
    at = held.at(deed)
    out = "outside" in (deed.words.split()[-1], deed.next) and any(out for _, out in held.sides)
    return out or not _HANDS.isdisjoint(held.words[at : held.clause(at)[1]])


def lost_waits(held: Held) -> Iterator[str]:
    """Yield where a text has one robot wait for what another does, and the answer has no order."""
    text = held.text
    named = rf"\b(?P<who>{any_of(held.robots)})\b"
    ordered = any(one.then for one in held.meaning.assignments[1:])
    for mark in re.finditer(rf"\b{_BEFORE}\s*,?\s+{named}", text, re.IGNORECASE):
        if not ordered and _others(mark["who"], held):
            yield f"the text says '{mark[0]}', and the answer has no robot wait for another"
    here = list(re.finditer(named, text, re.IGNORECASE))
    for first, last in pairwise(here):
        between, behind = text[first.end() : last.start()], text[last.end() :]
        if first["who"].casefold() == last["who"].casefold() or ordered:
            continue
        if _DONE.search(between) or (
            _FIRST.search(text[: last.start()]) and _SERIES.match(behind.lstrip(" ,"))
        ):
            yield f"{last['who']} is to wait for {first['who']}, and the answer has no robot wait for another"


def _others(who: str, held: Held) -> bool:
    """Return whether a text also names another, or somebody."""
    others = [name for name in held.robots if name.casefold() != who.casefold()]
    somebody = rf"\b(?:{any_of(others)}|some(?:one|body)|one of you)\b"
    return re.search(somebody, held.text, re.I) is not None


def lost_news(held: Held) -> Iterator[str]:
    """Yield who is to be told something: no robot tells another anything."""
    names = any_of(held.robots)
    told = re.search(
        rf"\b(?:let\s+(?:{names})\s+know|(?:inform|notify|warn)s?\s+(?:{names})\b"
        rf"|tells?\s+(?:{names})(?:\s+(?:about|that|when|what|how|if|whether|where)\b|\s*[.;!?]|\s*$)"
        rf"|reports?\s+(?:back\s+|it\s+|that\s+)?to\s+(?:{names})\b)",
        held.text,
        re.IGNORECASE,
    )
    if told and held.meaning.assignments:
        yield f"the text says '{told[0]}', and no robot tells another anything"
