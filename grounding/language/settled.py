"""Who of two does which, said behind both: ``one of you takes the roof and the other the cellar. Spot is …``.

Each is told by its name, and what only settles it is no order any more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.language.vocabulary import FUNCTION_WORDS
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import word_set

_ROBOT = r"(?:\s+(?:robot|machine|unit|of\s+you(?:\s+two)?))"
_ONE_OTHER = re.compile(
    rf"(?P<one>\b(?:any\s+)?one{_ROBOT}\b)(?P<first>[^.;!?\n]+?)\s*,?\s+(?:and|while)\s+"
    rf"(?P<other>the\s+other(?:\s+one)?{_ROBOT}?\b)(?P<second>[^.;!?\n]+)",
    re.IGNORECASE,
)
_DIVIDING = re.compile(
    r"\b(?:divide|split|share)\s+[^.,;!?\n]*?\s+between\s+(?:the\s+two\s+of\s+)?you(?:rselves)?\s*[,:;–—]?\s*"
    r"(?:so|such)\s+that\s+one(?:\s+of\s+you)?\s+(?=[^.;!?\n]*\bthe\s+other\b)",
    re.IGNORECASE,
)
"""What is divided is said again: ``divide them so that one … and the other …``."""
_SENTENCE = re.compile(r"[.;!?\n]\s*(?P<said>[^.;!?\n]+)")
_FIRST, _SECOND = word_set("first former"), word_set("second latter")
_SETTLING = word_set(
    "so his hers its must should shall will take takes get gets has have does do better is"
)
_OPEN = NEGATIONS | word_set("if unless or whoever whichever either maybe perhaps")


def settled(text: str, robots: Sequence[str]) -> str:
    """Return a text that tells each of two robots what is settled to be its own."""
    text = _DIVIDING.sub("one of you ", text)
    both = _ONE_OTHER.search(text) if len(robots) == len("ab") else None
    settling = _SENTENCE.match(text, both.end()) if both else None
    if both is None or settling is None:
        return text
    said, called = settling["said"], re.compile(rf"\b{any_of(robots)}\b", re.IGNORECASE)
    named = [*called.finditer(said)]
    if len({name[0].casefold() for name in named}) != 1:
        return text
    which = _which(
        re.split(r"[,:–—]", said[: named[0].start()])[-1] + said[named[0].start() :], both
    )
    if which is None:
        return text
    mine = named[0][0]
    other = next(robot for robot in robots if robot.casefold() != mine.casefold())
    first, second = (mine, other)[:: 1 if which == 0 else -1]
    told = f"{text[: both.start()]}{first}{text[both.end('one') : both.start('other')]}{second}"
    return f"{told}{both['second']}{text[settling.end() :]}"


def _which(settling: str, both: re.Match[str]) -> int | None:
    """Return which of two a sentence gives to somebody; None where it may tell anything else."""
    first, second = both["first"], both["second"]
    words, one, other = map(_words, (settling, first, second))
    hits = [
        bool(words & ((own - against) - FUNCTION_WORDS | ranked))
        for own, against, ranked in ((one, other, _FIRST), (other, one, _SECOND))
    ]
    deeds, known = _deeds(settling), {*_deeds(first), *_deeds(second)}
    plain = _OPEN.isdisjoint(words) and not _SETTLING.isdisjoint(words) and known.issuperset(deeds)
    return hits.index(True) if plain and sum(hits) == 1 else None


def _words(text: str) -> set[str]:
    return {token.text.casefold() for token in tokens_of(text)}


def _deeds(text: str) -> list[str]:
    said = (one.words.split()[0] for one in phrases_in(tokenize(text), DEEDS))
    return [word for word in said if word not in BEING | _SETTLING]
