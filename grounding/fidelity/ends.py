"""What a text wants to be so in the end, to wait somewhere or hold something, and its meaning lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.clauses import clause_at, token_at
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.phrases import Said, phrases_in
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Act, Instruction, Reference, Thing, Who

_KINDS = frozenset(["STAY", "END", "PICK", "HOLDING", "PUT", "AVOID", "OMIT", "MOVE", "INSPECT"])
_ENDING = frozenset(["STAY", "END", "RETURN"])
STAYING = frozenset(["wait", "stay", "remain", "linger", "park"])
"""Verbs of staying as orders have them; ``hold`` and ``stand`` may be other things."""
_PLACED = frozenset(
    ["there", "at", "by", "in", "on", "with", "next", "beside", "near", "here", "put", "right"]
)
_LEFT = re.compile(r"\b(?:stays|remains?) (?:put|where it|where they|where that)\b")
_HERE = frozenset(["here", "put"])
"""In or behind a verb of staying these name no other place than where a robot is."""
_WANTING = frozenset(["need", "needs", "want", "wants", "have", "like"])
_WAITING = frozenset(["waiting", "standing", "parked", "stationed"])
_HOLDING = frozenset(["holding", "carrying", "gripping"])
_DENIED = frozenset(
    ["not", "never", "no", "without", "until", "till", "who", "where", "which", "that", "will"]
)


def lost_ends(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield where a text orders to wait and nobody does, or wants something held and nothing is taken."""
    acts = wanted_acts(meaning)
    yield from _lost_waits(meaning, acts, tokens)
    waits = next((t.text for at, t in enumerate(tokens) if _is_wanted_waiting(tokens, at)), "")
    if waits and not any(act.do == "be" for act in acts):
        yield f"the text says '{waits}', and nobody does"
    takes = any(act.do in ("pick", "take") for act in parts_of(meaning, Act))
    yield from _odd_ends(acts, tokens, takes=takes)
    able = any(who.can for who in parts_of(meaning, Who))
    held = next((token.text for token in tokens if token.text in _HOLDING), "")
    if held and not takes and not able:
        yield f"the text says '{held}', and nothing is taken up"


def _odd_ends(acts: Sequence[Act], tokens: Sequence[Token], *, takes: bool) -> Iterator[str]:
    """Yield where an answer ends that no text can mean: here unsaid, or at what is held."""
    ends = [act.what for act in acts if act.do in ("be", "go")]
    if any(_is(what, "here") for what in ends) and not phrases_in(tokens, _ENDING):
        yield "the text does not say to stay"
    if _LEFT.search(" ".join(t.text for t in tokens)) and any(
        not _is(what, "here") for what in ends
    ):
        yield "the text only says of a thing that it stays"
    if takes and any(_is(what, "it", "them") for what in ends):
        yield "nobody ends at what is held"


def _is(what: Reference, *back: str) -> bool:
    """Return whether a phrase only refers back, in one of some ways."""
    return isinstance(what, Thing) and what.of in back and not what.noun


def _lost_waits(
    meaning: Instruction, acts: Sequence[Act], tokens: Sequence[Token]
) -> Iterator[str]:
    ends = [act.what for act in acts if act.do == "be"]
    elsewhere = any(not (isinstance(what, Thing) and what.of == "here") for what in ends)
    named = {word for what in parts_of(meaning, Thing) for word in what.noun.casefold().split()[1:]}
    for deed in _told(phrases_in(tokens, _KINDS), tokens):
        if deed.words.split()[0] in named:
            continue  # a car park
        here = not _HERE.isdisjoint((deed.words.split()[-1], deed.next))
        if not (elsewhere or (ends and here)):
            yield f"the text says '{deed.words}', and nobody does"


def _is_wanted_waiting(tokens: Sequence[Token], at: int) -> bool:
    """Return whether somebody is wanted to wait: ``I need you waiting at the gate``."""
    wanted = at > 1 and tokens[at - 2].text in _WANTING
    return wanted and tokens[at].text in _WAITING and tokens[at - 1].kind == "word"


def _told(said: Sequence[Said], tokens: Sequence[Token]) -> Iterator[Said]:
    """Yield the verbs of staying somewhere that are orders."""
    for deed in said:
        words = deed.words.split()
        at = token_at(tokens, deed.start)
        begin, end = clause_at(tokens, at)
        behind = [
            deed.next,
            *(t.text for t in tokens[at + 3 : at + 4] if deed.next == "for" and at + 3 < end),
        ]
        placed = words[-1] in _PLACED or not _PLACED.isdisjoint(behind)
        if words[0].removesuffix("s").removesuffix("ed") not in STAYING or not placed:
            continue
        if _DENIED.isdisjoint(token.text for token in tokens[begin:at]):
            yield deed
