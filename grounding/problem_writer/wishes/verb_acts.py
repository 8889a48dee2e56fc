"""What a single clause does by its verb: orders, modal verbs, and what is said of things and of people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.wishes.heads import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    PREPOSITIONS,
    orders,
)
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.words.nouns import word_set

Act: TypeAlias = Literal[
    "order", "wish", "leave", "question", "complaint", "report", "own", "elided"
]
"""``own`` is what somebody will do, ``elided`` what only goes on with the clause before."""
ANYBODY = word_set("somebody someone anybody anyone one either")
_FORBIDDING = word_set("may must should can shall")
_SOME = word_set("a an some")
"""What people would do with something that is not there yet, they want: ``I could murder a coffee``."""
_WOULD = word_set("'d would could should")
WANTING = word_set("want wants need needs fancy fancies prefer prefers require requires wanted")
_LIKING = word_set("like love rather prefer appreciate use want")
_DUE = word_set(
    "should must ought shall needs need wants want belongs belong goes go can ca could may lives live"
)
_DUE_TO = (["has", "to"], ["have", "to"], ["is", "to"], ["are", "to"], ["'s", "supposed"],
           ["is", "supposed"], ["are", "supposed"])  # fmt: skip
_DENIED: dict[str, Act] = {
    "need": "leave", "needs": "leave", "must": "wish", "should": "complaint", "ought": "complaint"
}  # fmt: skip
_GIVEN = [["have"], ["need"], ["want"], ["take"], ["be"]]
"""Behind ``I'll`` these tell what others are to do."""
_STAYING = word_set("stay stays remain remains")
_LEAVING = word_set("left leaving forgot let")
WAIVING = word_set("skip forget ignore omit disregard")
"""What is ordered so of a thing lets it be."""
_LEAVING_SO = word_set("leave forget open close shut touch use turn switch put")
_KNOWING = word_set("see tell know hear remember check smell find say look")
_UNKNOWN = word_set("where what if whether how why who when which")


def unwanted(plain: Sequence[str]) -> Act:
    """Return what people do who say that they want nothing."""
    if "allowed" in plain:
        return "wish"  # that forbids or lets something be done
    return "own" if plain[0] in ("'ll", "will") and plain[1:2] not in _GIVEN else "report"


def _minded(words: Sequence[str]) -> Act:
    """Return what ``mind`` does: ``mind the vase`` and ``mind you don't drop it`` ask for nothing."""
    if words[1:2] and words[1] in DETERMINERS:
        return "order" if any(map(likeness, words)) else "report"
    careful = not NEGATIONS.isdisjoint(words) and _LEAVING_SO.isdisjoint(words)
    return "report" if careful else "order"


def ordered_act(words: Sequence[str]) -> Act:
    """Return what an order does: it may ask to be told, or to let something be."""
    if words[:2] in (["tell", "me"], ["tell", "us"]) or (
        words[:1] == ["let"] and words[2:3] == ["know"]
    ):
        return "question"
    if words[:1] in (["mind"], ["careful"]):
        return _minded(words)
    return "leave" if _lets_be(words) else "order"


def _lets_be(words: Sequence[str]) -> bool:
    """``leave it alone``, ``skip the lamp``."""
    if words[:1] and words[0] in WAIVING:
        return words[1:2] != ["to"]
    if words[:1] not in (["leave"], ["let"], ["keep"]) or len(words) == 1:
        return False
    ends = words[-1] in ("alone", "be") or words[-2:] in (["the", "rest"], ["as", "is"])
    return ends or words[-3:-2] == ["where"] or ("as", "it") in pairwise(words)


def wondered(first: str, words: Sequence[str], rest: Sequence[str], *, asks: bool) -> Act:
    """Return what ``what``, ``how``, ``why``, ``who`` do."""
    if words[1:2] == ["about"]:
        return "wish"
    if first == "why":
        return (
            "order" if words[1:3] == ["do", "n't"] and {"you", "we"} & {*rest[:2]} else "question"
        )
    if first == "who":
        return "question" if _LEAVING.isdisjoint(words) else "complaint"
    if first == "how" and {"i", "we", "anybody", "anyone"} & {*rest[1:2]}:
        return "report"  # ``how am I to read?``
    return "question" if asks else "report"


def modal(rest: Sequence[str]) -> Act:
    """Return what ``can`` and ``could`` do: asked of anybody an order, of a thing a wish."""
    if rest[:1] in (["i"], ["we"]):
        return "wish" if {"have", "get", "see"} & {*rest[1:2]} else "question"
    knows = not _KNOWING.isdisjoint(rest[1:2]) and not _UNKNOWN.isdisjoint(rest[2:])
    return "question" if knows else "order"


def of_you(plain: Sequence[str]) -> Act:
    """Return what is said to who is spoken to: ``you can``, ``you needn't``, ``you'll find``."""
    if plain[0] in ("'ll", "will") and not _KNOWING.isdisjoint(plain[1:2]):
        return "report"
    if plain[0] in (AUXILIARIES - BE - {"'ve", "had"}) | {"needs"}:
        denied = not NEGATIONS.isdisjoint(plain[:3])
        needless = denied and plain[0] in ("need", "do", "does")
        waived = not (denied or WAIVING.isdisjoint(plain[:4]))
        return "leave" if needless or waived else "order"
    return "order" if plain[0] in orders() - _KNOWING else "report"


def of_nobody(plain: Sequence[str]) -> Act:
    """Return what is said of nobody: what nobody may do is forbidden, what nobody did is told."""
    return "wish" if plain[0] in _FORBIDDING or "allowed" in plain else "report"


def of_thing(plain: Sequence[str]) -> Act:
    """Return what a clause about a thing does: it tells what is to become of it, or how it is."""
    if not _STAYING.isdisjoint(plain[:3]):
        return "leave"
    if plain[0] == "would" and "if" in plain:
        return "wish"
    due = plain[0] in _DUE or [*plain[:2]] in _DUE_TO or [*plain[:3]] == ["'s", "got", "to"]
    if not due or "have" in plain[1:3]:
        return "report"
    if NEGATIONS.isdisjoint(plain[:3]):
        return "report" if plain[:2] == ["goes", "off"] else "wish"
    return _not_to_be(plain)


def _not_to_be(plain: Sequence[str]) -> Act:
    """Return what a clause does that says what is not to become of a thing."""
    if plain[0] in ("can", "ca", "could", "may") and {"be", "go"} & {*plain[:4]}:
        return "wish"  # ``it can't be opened`` may forbid that
    if plain[0] == "should" and not {"never", "left"}.isdisjoint(plain[:4]):
        return "wish"  # that is how things are to be left, and no complaint
    return _DENIED.get(plain[0], "report")


def wants(plain: Sequence[str], at: int) -> bool:
    """Return whether a word says that somebody wants something."""
    word, before = plain[at], plain[:at]
    if word in WANTING:
        return before[-1:] not in (["to"], ["the"])
    if _WOULD.isdisjoint(before):
        return False
    if word in _LIKING or not NEGATIONS.isdisjoint(plain):
        return word in (_LIKING - {"use"} if "should" in before else _LIKING)
    if "should" in before:
        return False
    some = next((n for n in range(at + 1, min(at + 4, len(plain))) if plain[n] in _SOME), None)
    return some is not None and all(w in PREPOSITIONS for w in plain[at + 1 : some])
