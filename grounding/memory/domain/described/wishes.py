"""What a task wants to be so, without the words that only say who should do it and that it is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.domain.words import MODALS, Word

_ASKING = frozenset(["please", "kindly", "let", "lets", "let's", "'d", "'ll"])
_ANYBODY = frozenset(["somebody", "someone", "anybody", "anyone", "you", "we", "i", "us", "me"])
_LIKING = frozenset(
    ["like", "love", "want", "wants", "wish", "ought", "got", "belongs", "belong", "supposed"]
)
_FREE = _ASKING | MODALS | _ANYBODY | _LIKING


def wish(sentence: Sequence[Word]) -> list[Word]:
    """Return a sentence of a task without what only asks for it."""
    words = [*sentence]
    texts = [w.text for w in words]
    for at, text in enumerate(texts):
        if text == "of" and texts[at - 1 : at] == ["one"] and texts[at + 1 : at + 2] == ["you"]:
            words[at - 1 : at + 2] = [Word("you")] * 3
    kept = [w for w in words if w.text not in _FREE]
    while kept and kept[0].text in ("to", ","):
        kept.pop(0)
    return kept
