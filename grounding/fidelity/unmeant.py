"""What a text says that no robot is told to do: its mood and tense, clause by clause.

A question, a report of what was or is, a plan, a refusal and a possibility are no orders. The finite verb
behind a subject tells, or how a sentence opens: ``Should Spot go``, ``Husky was going``, ``I nearly sent``,
``Spot might``. Questions that ask for something to be done (``could you``, ``would Spot kindly``) are orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from commonground.grounding.english.faithful import DETERMINERS
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.words.closed import BE, DO, HAVE, MODALS, SPEAKERS
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.tense import is_past

ASKED, TOLD, SUPPOSED, REFUSED = (
    "only asks about", "only tells of", "only supposes", "refuses or puts off",
)  # fmt: skip

_FILLING = word_set(
    "and so but then hey hello hi okay ok well tell me oh ah look anyway honestly please um er uh yes no"
)
"""Before what a sentence says."""
_ADVERBS = word_set(
    "already just also all both now once twice recently even still then never always nearly almost "
    "originally only probably really actually currently simply first later soon not maybe perhaps"
)
"""Between a subject and what its verb says."""
_WHO = word_set("who which what when where why how whose")
_POLITE = word_set("please kindly kind mind could can would")
_ABLE = word_set("able free willing available up ready happy ok okay")
_OTHERS = word_set("it they he she somebody someone anybody anyone everybody everyone nobody")
_YOU = frozenset(["you"])
_SIDE = word_set(
    "where when which who if once after before until till while since as because unless whether that "
    "whatever wherever whichever whoever than"
)
"""Behind these a clause belongs to another."""
_BEFORE_SUBJECTS = BE | DO | HAVE | MODALS
"""Of what is asked, the subject stands behind these."""
_IS = word_set("is are 's 're am")
_PERFECT = HAVE | {"'ve", "'s"}
_SAME = word_set("put let hit set cut shut left read needed required assigned wanted ordered told")
"""Past forms that a short order may have, too: ``Spot put it down``, ``Spot needed at the gate``."""
_UNDONE = word_set(
    "refuse decline fail forget pretend hesitate imagine plan intend hope wish threaten consider"
)
"""What is done only so is not done: ``Spot refuses to go``, ``pretend to go``."""
_SEEMING = word_set("want seem appear claim think believe say like love hate")
_UNDONE_OR_SEEMING = _UNDONE | _SEEMING
_LEADING = frozenset(["to", "about", "of", "that"])
_WISHING = word_set(
    "wanted hoped wondered needed wished meant said asked hoping wondering wishing called liked thought"
)
"""What people say so was their wish, and still is: ``I wanted you to check it``."""
_INTENDING = word_set("going about planning thinking considering intending tempted supposed")
_INTENDED = word_set("planned intended thought considered hoped meant")
_DOUBTING = frozenset(["doubt", "wonder"])
_ASKING_LEAVE = word_set("could can would should must")
_PLANS = word_set("plan plans idea intention thought proposal rumor rumour")
_WILLING = word_set("wants fancies")
_LIKELY = word_set("possible likely probable conceivable thinkable unlikely impossible")
_HEARSAY = frozenset([("looks", "like"), ("look", "like"), ("sounds", "like"), ("seems", "like")])
_NEEDED = word_set("need needs want wants")
_SUPPOSING = word_set("suppose supposing imagine assume assuming")
_MAYBE = word_set("maybe perhaps possibly probably apparently supposedly allegedly reportedly")
_AFTER_VERBS = DETERMINERS | word_set(
    "it them at to in on by for into over up down around out back toward towards"
)
"""What stands behind ``Spot's checking``, and behind no noun that is Spot's."""
_AIMING = word_set(
    "means sure ensure want need needs like prefer expect by goal end over done complete"
)
"""Before a subject these say how things shall be: ``make sure that Spot has been there``."""
_MARKS = frozenset([".", ";", "!", "?", "\n", ",", ":"])


class Unmeant(NamedTuple):
    """Words from one token to another that order nothing, and what they do instead."""

    first: int
    end: int
    how: str


def unmeant(said: Wording) -> list[Unmeant]:
    """Return the stretches of a text that order nothing."""
    subjects = frozenset(map(str.casefold, said.robots)) | _YOU
    return [
        one for begin, end in _sentences(said) for one in _in_sentence(said, begin, end, subjects)
    ]


def _sentences(said: Wording) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(said.words):
        begin, end = said.sentence(at)
        if begin < end:
            yield begin, end
        at = max(end, at) + 1


def _in_sentence(
    said: Wording, begin: int, end: int, subjects: frozenset[str]
) -> Iterator[Unmeant]:
    first = opening(said.words, begin, end, subjects)
    words = said.words[first:end]
    asks = said.word(end) == "?"
    if not words:
        return
    whole = (
        (_supposes(words, subjects) and SUPPOSED)
        or (_asks(words, subjects, asks=asks) and ASKED)
        or (_refuses(words) and REFUSED)
        or ((_recalls(words, subjects) or _was_planned(words)) and TOLD)
    )
    if whole:
        yield Unmeant(first, end, whole)
    else:
        yield from _clauses(said, first, end, subjects)


def _clauses(said: Wording, first: int, end: int, subjects: frozenset[str]) -> Iterator[Unmeant]:
    """Yield what the clauses of a sentence only tell: ``do you think you might go`` is an order."""
    asks = said.word(end) == "?"
    for at in range(first, end):
        how = _finite(said.words, at, end, subjects)
        wanted = _AIMING.intersection(said.words[first:at]) or (asks and how == SUPPOSED)
        if how and not wanted:
            yield Unmeant(at, _reach(said.words, at, end, subjects), how)


def opening(words: Sequence[str], begin: int, end: int, robots: frozenset[str]) -> int:
    """Return where a sentence begins behind who is spoken to: ``Spot, and ...``."""
    while begin < end - 1:
        spoken_to = words[begin] in robots and words[begin + 1] == ","
        if words[begin] not in _FILLING | {","} and not spoken_to:
            break
        begin += 1
    return begin


def _reach(words: Sequence[str], at: int, end: int, subjects: frozenset[str]) -> int:
    """Return how far a clause reaches: to a mark, or to another who is told something."""
    for k in range(at + 1, end):
        joined = words[k] in ("and", "but", "so", "while") and words[k + 1 : k + 2]
        if words[k] in _MARKS or (joined and joined[0] in subjects):
            return k
    return end


# ---- questions --------------------------------------------------------------------------------------


def _asks(words: Sequence[str], subjects: frozenset[str], *, asks: bool) -> bool:
    """Return whether a sentence asks what is, was or shall be, and has nothing done."""
    if words[0] in _WHO:
        return _asks_who(words, asks=asks)
    inverted = next((check for first, check in _INVERTED if words[0] in first), None)
    if inverted is not None:
        return inverted(words, subjects | _OTHERS, asks)
    declared = words[0] in subjects and words[1:2] not in ([","], [])
    return asks and declared and _POLITE.isdisjoint(words) and "will" not in words


def _asks_duty(words: Sequence[str], subjects: frozenset[str], asks: bool) -> bool:
    """``Should Spot go?``; behind ``should Spot see a box, ...`` follows an order."""
    return words[1:2] != [] and words[1] in subjects and (asks or "," not in words)


def _asks_future(words: Sequence[str], subjects: frozenset[str], _: bool) -> bool:
    """``Will Spot go?``, not ``will you go``."""
    return words[1:2] != [] and words[1] in subjects - _YOU and _POLITE.isdisjoint(words)


def _asks_unreal(words: Sequence[str], subjects: frozenset[str], _: bool) -> bool:
    """``Could Spot have gone?``, not ``could Spot go``."""
    missed = words[2:3] == ["have"] and len(words) > 3 and is_past(words[3])
    return missed and words[1] in subjects


def _asks_state(words: Sequence[str], subjects: frozenset[str], asks: bool) -> bool:
    """``Is Spot at the gate?``, not ``are you free to check it``, ``is it possible to check it``."""
    second, third = [*words[1:], "", ""][:2]
    able = second in ("you", "it") and third in _ABLE | _LIKELY and "that" not in words
    if able or any(a in _ABLE and b == "to" for a, b in pairwise(words)):
        return False
    return second in subjects - {"it"} or (asks and _POLITE.isdisjoint(words))


def _asks_deed(words: Sequence[str], subjects: frozenset[str], _: bool) -> bool:
    """``Did Spot go?``, not ``do you mind going``, nor ``do it now``."""
    leave = words[1:2] == ["you"] and words[2:3] in (["mind"], ["think"])
    orders = words[:2] == ["do", "it"]
    return words[1:2] != [] and words[1] in subjects | SPEAKERS and not (leave or orders)


def _asks_done(words: Sequence[str], subjects: frozenset[str], asks: bool) -> bool:
    """``Has Spot gone?``, not ``have Spot go``, nor ``have it moved``."""
    behind = next((word for word in words[2:] if word not in _ADVERBS), "")
    return (
        words[1:2] != []
        and words[1] in subjects | SPEAKERS
        and is_past(behind)
        and behind != "got"
        and (asks or words[0] != "have" or words[1] not in _OTHERS)
    )


_INVERTED: Sequence[tuple[frozenset[str], Callable[[Sequence[str], frozenset[str], bool], bool]]] = (
    (word_set("should must may ought"), _asks_duty), (word_set("will shall"), _asks_future),
    (word_set("could can would"), _asks_unreal), (BE, _asks_state), (DO, _asks_deed), (HAVE, _asks_done),
)  # fmt: skip
"""By how a question begins, what tells whether it has something done all the same."""


def _asks_who(words: Sequence[str], *, asks: bool) -> bool:
    first, second, third = [*words, "", ""][:3]
    proposes = second in ("about", "not") or (second in ("do", "does") and third == "not")
    later = words[words.index(",") :] if "," in words else words[1:3]
    cleft = (
        not asks and sum(word in BE | {"'s"} for word in words) > 1
    )  # what is urgent is the rock
    proposes = proposes or not _WILLING.isdisjoint(words[1:4])
    if proposes or cleft or not _POLITE.isdisjoint(later):
        return False
    inverted = second in {"did", "does", "do", "'s"} | HAVE | BE
    told = first in ("who", "which") and is_past(second)
    return asks or (inverted and "not" not in words) or told


# ---- what is supposed, refused or recalled -----------------------------------------------------------


def _supposes(words: Sequence[str], subjects: frozenset[str]) -> bool:
    first, second = [*words, ""][:2]
    if (first, second) == ("what", "if") or first in _SUPPOSING:
        return True
    named = [k for k, word in enumerate(words) if word in subjects]
    if not named:
        return False
    before, behind = words[: named[0]], words[named[0] + 1 : named[0] + 3]
    if not _ASKING_LEAVE.isdisjoint(behind) or "please" in words:
        return False
    maybe = first in _MAYBE and named[0] == 1 and behind[:1] not in ([","], [])
    needed = not _NEEDED.isdisjoint(words)  # looks like we need you at the gate
    return maybe or ((first, second) in _HEARSAY and not needed) or _doubts(before)


def _doubts(before: Sequence[str]) -> bool:
    """Return whether words before a subject make what it does possible only: ``it is likely that``."""
    likely = not _LIKELY.isdisjoint(before) and "that" in before
    return likely or not (_DOUBTING.isdisjoint(before) or SPEAKERS.isdisjoint(before))


def _refuses(words: Sequence[str]) -> bool:
    """Return whether a sentence has something not done in earnest: ``pretend to go``, ``I refuse to``."""
    verb, behind = [*words[words[0] in SPEAKERS :], "", ""][:2]
    refuses = words[0] not in SPEAKERS or verb in ("refuse", "decline", "hesitate")
    return refuses and verb in _UNDONE and behind in _LEADING


def _recalls(words: Sequence[str], subjects: frozenset[str]) -> bool:
    """Return whether a sentence says what people did, meant or planned: ``I nearly sent Spot there``."""
    if words[0] not in SPEAKERS:
        return False
    rest = [word for word in words[1:] if word not in _ADVERBS]
    asks = not _ASKING_LEAVE.isdisjoint(rest)
    verb, behind = [*rest, "", ""][:2]
    if verb in ("was", "were"):
        return behind in _INTENDING and not asks and "ask" not in rest[2:4]
    if verb in HAVE:
        return behind in _INTENDED
    done = is_past(verb) and (verb not in _WISHING or (verb == "thought" and not asks))
    return done and ("to" in rest or not subjects.isdisjoint(rest))


def _was_planned(words: Sequence[str]) -> bool:
    """Return whether a sentence says what the plan was."""
    plans = words[0] in ("the", "my", "our") and not _PLANS.isdisjoint(words[1:2])
    return plans and words[2:3] in (["was"], ["had"])


# ---- finite verbs -----------------------------------------------------------------------------------


def _finite(words: Sequence[str], at: int, end: int, subjects: frozenset[str]) -> str:
    """Return what the verb behind a subject does instead of ordering; empty where it may order."""
    first = _first_of(words, at, subjects)
    if words[at] not in subjects or (first and words[first - 1] in _SIDE | _BEFORE_SUBJECTS):
        return ""
    plain = (k for k in range(at + 1, end) if words[k] not in _ADVERBS - {"not"})
    rest = [*words[next(plain, end) : end], "", "", ""]
    if _is_told(rest):
        return TOLD
    if rest[0] == "might" and rest[1] not in ("as", "want", "like", "please"):
        return SUPPOSED
    if rest[0] == "would" and words[at] not in _YOU and _POLITE.isdisjoint(rest[1:]):
        return SUPPOSED
    return REFUSED if _is_put_off(rest[0]) and rest[1] in _LEADING else ""


def _first_of(words: Sequence[str], at: int, subjects: frozenset[str]) -> int:
    """Return where the first of joined subjects stands: ``if Anna and Bert would``."""
    while at > 1 and words[at - 1] in ("and", "or") and words[at - 2] in subjects:
        at -= 2
    return at


def _is_put_off(verb: str) -> bool:
    """Return whether somebody's verb says that what follows is not done: ``refuses``, ``wishes``."""
    base = verb.removesuffix("s")
    return base != verb and not _UNDONE_OR_SEEMING.isdisjoint([base, base.removesuffix("e")])


def _is_told(rest: Sequence[str]) -> bool:
    """Return whether a verb, and what follows it, tells of what was, is, or was missed."""
    verb, behind = rest[:2]
    if verb in ("was", "were", "did"):
        return True
    if verb in ("could", "should", "would", "might"):
        return behind == "have"
    if verb == "had":
        return behind != "better"
    if verb in _PERFECT and _has_done(verb, rest):
        return True
    if verb in _IS:
        return _goes_on(rest) or _has_done_since(rest)
    return is_past(verb) and (verb not in _SAME or behind == "to")


def _has_done(verb: str, rest: Sequence[str]) -> bool:
    """Return whether behind a ``has`` stands what was done; what is needed or meant is not."""
    behind = next((word for word in rest[1:] if word not in _ADVERBS), "")
    passive = verb == "'s" and behind.endswith("ed") and rest[2] in ("to", "at", "in", "on", "for")
    return is_past(behind) and behind not in ("got", "meant", "due") and not passive


def _goes_on(rest: Sequence[str]) -> bool:
    """Return whether something is being done: ``is inspecting``, not ``is going to inspect``."""
    behind = [word for word in rest[1:] if word not in _ADVERBS]
    doing = behind[0].endswith("ing") if behind else False
    meant = behind[:2] == ["going", "to"] and behind[2:3] not in (["the"], ["a"], ["its"])
    owns = rest[0] == "'s" and not {*behind[1:2]} <= _AFTER_VERBS  # its resting place
    return doing and not (meant or owns)


def _has_done_since(rest: Sequence[str]) -> bool:
    """Return whether a robot is said to have done something: ``is meant to have inspected``."""
    pairs = zip(rest, rest[1:], rest[2:], strict=False)
    return any(a == "to" and b == "have" and is_past(c) for a, b, c in pairs)
