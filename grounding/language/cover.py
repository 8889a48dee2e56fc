"""Texts that the grammar cannot read whole: the orders in them that it can, and the words between them.

What people say around their orders is known to no grammar. So the cheapest way to cover a sentence is
sought: by steps, names called, things introduced, and words passed over. Each word passed over costs;
symbols, names of robots and of places are never passed over, nor is a deed that nobody else does, nor what
stands directly behind an order, as it may narrow it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.adverbials import aside_end, ended
from commonground.grounding.language.chart import Chart
from commonground.grounding.language.steps import YOU, Blank, Step
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Act
from commonground.grounding.words.nouns import word_set

WAYS = 4
"""Ways to cover a sentence that are kept."""
PASSED, MARK, NAMED, BINDING = 1.0, 0.05, 2.0, 2.5
"""What it costs to pass over a word, a mark, the name of a thing, and what changes what is said beside it."""
DEAREST = 14.0
"""Sentences that cost more to cover are not understood."""
PIECE = 0.4
"""What each piece costs, so that few long ones are preferred."""
_BINDING = NEGATIONS | word_set(
    "if when until till unless once only first last then before after or either neither other others rest "
    "except bar but both each not no apart save instead rather than else elsewhere while"
)
_JOINING = word_set("because since as for so and")
"""What may follow an order directly without narrowing what it is about."""
_LEADING = word_set(
    "so just now and but then next also finally lastly afterwards afterward later please kindly you"
)
"""Behind these an order may begin, and nobody else does what follows."""
_OPENING = frozenset(["WANT", "ASK_YOU", "ENSURE"])
"""What begins an order with a subject of its own, wherever it stands."""
_CONTENT = frozenset(["ROBOT", "NAMEPART", "SHARE", "ONE_EACH"])
"""What names robots and things of the map, or shares them out."""

Kind = Literal["steps", "call", "alone", "introduced", "aside", "then"]
"""``alone`` is a name that is a sentence of its own."""
Before = Literal["start", "piece", "words", "named"]
"""What stands before a word: a mark or the beginning, a piece, or words passed over, one of them a name."""
_ANYWHERE = frozenset(["call", "aside", "then"])
_RULES: Mapping[str, Kind] = {
    "next_step": "steps", "step": "steps", "robots": "call", "mention": "introduced",
}  # fmt: skip


class Piece(NamedTuple):
    """What some words of a sentence come to."""

    kind: Kind
    value: Any = None


class Cover(NamedTuple):
    """The pieces of a sentence, and what they and the words between them cost."""

    pieces: tuple[Piece, ...] = ()
    cost: float = 0.0
    before: Before = "start"
    lost: bool = False
    """Whether a name of a thing was passed over."""

    @property
    def introduces(self) -> bool:
        """Whether something is introduced."""
        return any(piece.kind == "introduced" for piece in self.pieces)


def covers(tokens: Sequence[Token], chart: Chart) -> list[Cover]:
    """Return the cheapest ways to cover a sentence."""
    best: list[list[Cover]] = [[] for _ in range(len(tokens) + 1)]
    best[0] = [Cover()]
    for at, token in enumerate(tokens):
        best[at] = ways = _cheapest(best[at])
        if not ways:
            continue
        if not _binds_next(tokens, chart, at):
            best[at + 1] += _passed(ways, token, chart.terminals[at])
        opens = not _OPENING.isdisjoint(chart.terminals[at])
        for end, piece, cost in _pieces(tokens, chart, at):
            best[end] += [_with(c, piece, cost) for c in ways if _may_follow(c, piece, opens=opens)]
    return [c for c in _cheapest(best[-1]) if c.cost <= DEAREST]


def _cheapest(ways: Sequence[Cover]) -> list[Cover]:
    found: dict[tuple[tuple[Piece, ...], Before, bool], Cover] = {}
    for cover in sorted(ways, key=lambda c: c.cost):
        found.setdefault((cover.pieces, cover.before, cover.lost), cover)
        if len(found) == WAYS:
            break
    return [*found.values()]


def _with(cover: Cover, piece: Piece, cost: float) -> Cover:
    if piece.kind == "aside":
        return cover._replace(cost=cover.cost + cost)
    before: Before = "piece" if piece.kind == "steps" else "start"
    return Cover((*cover.pieces, piece), cover.cost + cost, before, cover.lost)


def _may_follow(cover: Cover, piece: Piece, *, opens: bool) -> bool:
    """Return whether a piece may stand here: what is introduced, or is for nobody named, begins a clause."""
    if piece.kind in _ANYWHERE:
        return True
    if piece.kind == "introduced":
        return cover.before == "start" and not (cover.lost or cover.introduces)
    named = piece.value[0].who not in (None, YOU)
    return named or opens or cover.before not in ("words", "named")


# ---- words passed over ------------------------------------------------------------------------------


def _binds_next(tokens: Sequence[Token], chart: Chart, at: int) -> bool:
    """Return whether a word says which of what stands behind it: ``one of``, ``not Husky``."""
    of = at + 1 < len(tokens) and tokens[at + 1].text == "of"
    return _binds(tokens[at]) and (of or "ROBOT" in chart.terminals[at + 1])


def _binds(token: Token) -> bool:
    return token.kind == "number" or token.text in _BINDING


def _passed(ways: Sequence[Cover], token: Token, here: Mapping[str, Any]) -> list[Cover]:
    """Return the ways to cover what ends with a word that is passed over."""
    if token.kind == "mark":
        return [c._replace(cost=c.cost + MARK, before="start") for c in ways]
    if _is_kept(token, here):
        return []
    named, deed = _is_named(here), _is_deed(token, here)
    cost = BINDING if deed or _binds(token) else NAMED if named else PASSED
    after: Before = "start" if token.text in _LEADING else "words"
    after = "named" if named else after
    return [
        Cover(c.pieces, c.cost + cost, c.before if c.before == "named" else after, c.lost or named)
        for c in ways
        if _may_pass(c, token, named=named, deed=deed)
    ]


def _may_pass(cover: Cover, token: Token, *, named: bool, deed: bool) -> bool:
    """Return whether a word may be passed over: a deed is an order, unless somebody does it."""
    if deed and cover.before != "words":
        return False
    return (cover.before != "piece" or token.text in _JOINING) and not (named and cover.introduces)


def _is_kept(token: Token, here: Mapping[str, Any]) -> bool:
    return token.kind == "symbol" or not _CONTENT.isdisjoint(here)


def _is_named(here: Mapping[str, Any]) -> bool:
    return any(cost <= 0 and noun.here for _, noun, cost in here.get("NOUN", ()))


def _is_deed(token: Token, here: Mapping[str, Any]) -> bool:
    if token.text in BEING:
        return token.text == "be"
    return any(category.removesuffix("_D") in DEEDS for category in here)


# ---- pieces -----------------------------------------------------------------------------------------


def _pieces(tokens: Sequence[Token], chart: Chart, at: int) -> list[tuple[int, Piece, float]]:
    """Return what the words from one on may come to, where they end, and what that costs."""
    found = [
        (end, Piece(kind, value), cost + PIECE)
        for name, kind in _RULES.items()
        for end, value, cost in chart.parse(name, at)
        if at or name != "next_step"
    ]
    for end, value, cost in chart.parse("ref", at):
        if end == len(tokens) or tokens[end].kind == "mark":
            found.append((end, Piece("introduced", Act("mention", value)), cost + 2 * PIECE))

    def names(k: int) -> bool:
        here = chart.terminals[k]
        return not _CONTENT.isdisjoint(here) or _is_named(here)

    found += [(end, Piece("aside"), 0.0) for end, *_ in chart.terminals[at].get("DO_IT", ())]
    found.append((aside_end(tokens, at, names), Piece("aside"), PIECE / 2))
    found.append((ended(tokens, at, names), Piece("then"), PIECE / 2))
    told = tokens[at].text in BEING - {"be"}
    return [one for one in found if one[0] > at and not _is_none(one[1], told=told)]


def _is_none(piece: Piece, *, told: bool) -> bool:
    """Return whether a piece is no order: alone, ``both``; behind whoever is there, ``is in it``."""
    steps: tuple[Step, ...] = piece.value if piece.kind == "steps" else ()
    return bool(steps) and (
        (told and steps[0].who is None) or all(s.task == Blank("same") for s in steps)
    )
