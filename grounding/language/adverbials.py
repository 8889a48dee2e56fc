"""Adverbials of time and manner that change nothing of an order: ``at some point today``, ``on your round``.

They are known by their build, not by a list: a preposition, a few small words, and a noun of time or work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.language.tokens import Token
from commonground.grounding.words.nouns import word_set

_PREPOSITIONS = word_set(
    "at by during for in on throughout through over within along from of as with"
)
_SMALL = word_set(
    "the a an its it his your you this that some any every all whole entire next our my their each same "
    "very end close start rest course moment quick working good early late right 's"
)
_TIMES = word_set(
    "time times point moment moments today tonight shift shifts round rounds run tour patrol trip route way "
    "while end close business closing job work duty meantime meanwhile advance case now beforehand "
    "afterwards afterward mission sometime somehow please pass convenience possible convenient "
    "necessary course"
)
_DAYS = word_set("day days night morning evening afternoon week weekend")
_WHOLE = word_set("end rest close this some whole all any entire")
"""With these a day is no date: ``by the end of the day``, but not ``in the morning``."""
_WHEN = word_set("when once after by as")
_ALL = word_set(
    "everything all it that this you it's is are has have been be with them the your work job day night "
    "shift round 's time soon gets whole of a an thing and we they"
)
_DONE = word_set("finished done over complete completed finish finishes through ready closed ended")
LONGEST = 7


def aside_end(tokens: Sequence[Token], at: int, names: Callable[[int], bool]) -> int:
    """Return where an adverbial ends that begins with a token; ``at`` if none does.

    ``names`` tells whether a token names something of the map or a robot.
    """
    first = tokens[at].text
    last = at
    if first not in _PREPOSITIONS | _TIMES | _SMALL - {"it", "you"}:
        return at
    times = _TIMES
    for k in range(at, min(at + LONGEST, len(tokens))):
        word = tokens[k].text
        if word in _WHOLE:
            times = _TIMES | _DAYS
        if names(k) or not (word in times or word in _SMALL or word in _PREPOSITIONS):
            break
        if word in times:
            last = k + 1
    return last


def ended(tokens: Sequence[Token], at: int, names: Callable[[int], bool]) -> int:
    """Return where a clause ends that says ``when everything is finished``; ``at`` if none is there."""
    if tokens[at].text not in _WHEN:
        return at
    for k in range(at + 1, min(at + LONGEST, len(tokens))):
        word = tokens[k].text
        if names(k):
            break
        if word in _DONE and k > at + 1 - (tokens[at].text == "once"):
            return k + 1
        if word not in _ALL:
            break
    return at
