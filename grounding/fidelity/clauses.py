"""Where words of a text stand, and how far they reach: their sentence, and whether that is put off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from commonground.grounding.english.faithful import BACK, DETERMINERS
from commonground.grounding.english.remarks import JOINING, PEOPLE, WANTING
from commonground.grounding.language.tokens import Token
from commonground.grounding.words.nouns import word_set

_ENDS = frozenset([".", ";", "!", "?", "\n"])
_PAUSES = _ENDS | {","}
_PEOPLE = PEOPLE | {"nobody"}
_ASKING = WANTING - {"can", "could"}
_POINTING = DETERMINERS | BACK
_IS = frozenset(["is", "'s"])
_NOW = word_set("now there still but yet right currently")
_WHERE = (
    _NOW
    | DETERMINERS
    | word_set("in at on by over near inside under behind back up down just somewhere only again")
)
_APPROVING = word_set(
    "ok okay alright fine cool trouble bother problem mind minds convenient time minute moment"
)
"""What ``if`` asks leave with: it never says what must be so on the map."""
_ASKED = word_set("it that this you everyone everybody nobody")
_PUTTING_OFF = frozenset(["before", "until", "till"])


def sentence_at(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return where in the text the sentence of a token begins and ends."""
    begins = [t.end for t in tokens[:at] if t.text in _ENDS]
    ends = [t.start for t in tokens[at:] if t.text in _ENDS]
    return max(begins, default=0), min(ends, default=tokens[-1].end)


def token_at(tokens: Sequence[Token], start: int) -> int:
    """Return which token begins at a place of the text."""
    return next(k for k, token in enumerate(tokens) if token.start == start)


def clause_at(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return from which token to which the words around one reach, up to marks."""
    begin = next((k + 1 for k in range(at - 1, -1, -1) if tokens[k].text in _PAUSES), 0)
    end = next((k for k in range(at, len(tokens)) if tokens[k].text in _PAUSES), len(tokens))
    return begin, end


def remark_at(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """Return where a word's clause, by tokens, only tells what people do; None if it wants anything."""
    begin, end = clause_at(tokens, at)
    for k in range(begin, at):
        if tokens[k].text in JOINING:
            begin = k + 1
    end = next((k for k in range(at + 1, end) if tokens[k].text in JOINING), end)
    words = [token.text for token in tokens[begin:end]]
    told = bool(words) and words[0] in _PEOPLE and _ASKING.isdisjoint(words)
    return (begin, end) if told else None


def is_state(words: Sequence[str], at: int) -> bool:
    """Return whether a word's clause only tells where what was spoken of is: ``now it is in the sauna``."""
    be = next((k for k in range(at - 1, 0, -1) if words[k] in _IS and words[k - 1] == "it"), 0)
    before = [word for word in words[: max(0, be - 1)] if word not in _NOW]
    opens = not before or before[-1] in _PAUSES | {":", "and", "but", "because", "since", "as"}
    return (
        be > 0
        and opens
        and _WHERE.issuperset(word for word in words[be + 1 : at] if not word.endswith("ing"))
    )


def asks_leave(words: Sequence[str]) -> bool:
    """Return whether words behind an ``if`` only ask for leave: ``that's okay``, ``it isn't too much``."""
    said = frozenset(words[1:])
    approves = (
        not said.isdisjoint(_APPROVING) or {"all", "right"} <= said or {"too", "much"} <= said
    )
    return not _ASKED.isdisjoint(words[:1]) and approves


def names_nothing(tokens: Sequence[Token]) -> bool:
    """Return whether words point at no thing, and back at none."""
    words = {token.text for token in tokens}
    return not (words & _POINTING) and not any(c.isdigit() for word in words for c in word)


def puts_off(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a negation only puts off: ``do not enter before it is light``."""
    for token in tokens[at + 1 :]:
        if token.text in _PAUSES:
            return False
        if token.text in _PUTTING_OFF:
            return True
    return False


def is_put_off(tokens: Sequence[Token], at: int) -> bool:
    """Return whether something is not to be done before what follows a token."""
    for token in reversed(tokens[:at]):
        if token.text in _PAUSES:
            return False
        if token.text in ("not", "never"):
            return True
    return False


def named_once(words: Iterable[str], tokens: Sequence[Token]) -> Iterator[int]:
    """Yield which tokens are these words, of those that a text has once."""
    for word in words:
        found = [at for at, token in enumerate(tokens) if token.text == word]
        yield from found if len(found) == 1 else []
