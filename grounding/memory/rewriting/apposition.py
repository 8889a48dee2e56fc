"""Puts what is said after a noun of which one it is in its usual place: ``Ann's mug, the red one``.

People add afterwards which thing they mean: whose it is (``that mug of Ann's``), its color (``the stew, the
frozen one``), the set it is one of (``the red one of the mugs``), its level (``the rack in the den, second
shelf``), or point back in many words (``in that place``). Both readers of English read such a
phrase far better in the order that is usual, and what is meant is the same. Words that only point, as
``over`` and ``that stands``, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from commonground.grounding.words.nouns import is_plural, singular

_SMALL = (
    "a|an|the|this|that|these|those|of|in|on|at|to|into|onto|off|from|with|by|for|and|or|but|not|is|are|was|were|"
    "be|been|has|have|had|he|she|it|they|i|you|we|his|her|its|their|my|your|our|one|who|which|where|when|as|if|"
    "no|now|then|over|up|down|out|under|all|every|each|any"
)
_WORD = rf"(?!(?:{_SMALL})\b)[^\W\d_]+(?:-[^\W\d_]+)*"
_NOUN = rf"{_WORD}(?: {_WORD}){{0,2}}"
_NAME = r"[^\W\d_]+"
_POINTING = "other|same|only|sole|new|next|last|first|second|right|wrong|former|latter|old"
_TELLING = rf"(?!(?:{_POINTING})\b){_WORD}"
_RANK = r"\d+(?:st|nd|rd|th)|lowest|highest|bottom|top|middle|first|second|third|fourth|fifth|sixth"
_LEVEL = r"level|row|shelf|tier|board"
_LINKS = (
    "and|but|or|then|so|whereas|while|whereupon|until|after|before|when|who|which|where|as|because"
)
_CLOSED = rf"(?:,(?! (?:{_LINKS})\b)|(?=\s*(?:[,.;:!?]|$)))"
"""The comma behind what was said afterwards, unless something else begins there."""

_ONE_OF_MANY = re.compile(rf"\b(?:the|that) ({_TELLING}) one of the ({_NOUN})", re.I)
_DOUBLE_GENITIVE = re.compile(
    rf"(?:\b({_NAME}) )?\b(?:the|that|this) ({_NOUN}) of ({_NAME})['’]s\b(?!['’-])(?=((?: {_NAME}){{0,2}}))",
    re.I,
)
_OWN = {
    "mine": "my",
    "hers": "her",
    "his": "his",
    "ours": "our",
    "theirs": "their",
    "yours": "your",
}
_OF_MINE = re.compile(
    rf"\b(?:(?:the|that|this|those|these) )?({_NOUN}) of ({'|'.join(_OWN)})\b(?! [^\W\d_]+['’]s\b)",
    re.I,
)
_THE = rf"(?:the|an?|that|this|his|her|my|your|our|their|{_NAME}['’]s)"
_FORMER = re.compile(
    rf"\b(?P<one>{_THE} {_NOUN}) and (?P<two>{_THE} {_NOUN})\b(?=(?P<rest>.*\bthe (?:former|latter)\b.*))",
    re.I,
)
_TOLD_AFTERWARDS = re.compile(
    rf"\b(the|an?|that|this|his|her|my|your|our|their|{_NAME}['’]s) ({_NOUN}), the ({_TELLING}) one\b"
    rf"{_CLOSED}",
    re.I,
)
_LEVEL_AFTERWARDS = re.compile(
    rf"\bthe ({_WORD}(?: {_WORD})?)( (?:in|of|at) (?:the |{_NAME}['’]s )?{_NOUN})?, ({_RANK}) ({_LEVEL})"
    rf"(?: from the (?:floor|bottom|ground))?\b(?! from)(?:{_CLOSED}|(?= ))",
    re.I,
)
_PLACE_AFTERWARDS = re.compile(
    rf", the one ((?:in|on|at|under|inside|from|by|near)\b[^,;.:!?]+){_CLOSED}", re.I
)
_SAME_PLACE = re.compile(
    r"\b(?:in|on|at|to|into|onto) (?:that|the (?:very )?same|this) (?:very )?"
    r"(?:place|spot|position|location)\b",
    re.I,
)
_BACK = re.compile(
    r"\b(?:back )?(?:in|on|at|to|into|onto) (?:its|their) (?:origin|"
    r"(?:former|previous|old|original|earlier|last) (?:place|spot|position|location|home))(?: again)?\b",
    re.I,
)
FORMERLY = "back where it was before"
"""How it is said that things are where they were before their last move."""
_IS_BACK = re.compile(
    r"(?:(\b(?:is|are)|['’](?:s|re)) (?:back )?where (?:it|they) "
    r"(?:used to be|had been|(?:was|were) (?:before|earlier))"
    r"|(\b)back (?:to |in |on |at )?where (?:it|they|he|she|I|we)(?: had| have| has|['’]d|['’]ve|['’]s)? (?:"
    r"used to be|been|was|were|came(?: from)?|stood|lay|sat|hung|"
    r"(?:got|gotten|found|took|taken|fetched|grabbed|picked|had) (?:it|them)(?: up)?(?: from)?"
    r")(?: (?:before|earlier|previously|first|originally))?)(?![\w'’])",
    re.I,
)
_FROM_PLACE = re.compile(
    r"\b(from|out of) (?:its|their) (?:[^\W\d_]+ )?(?:place|spot|position|home) (?:in|on|at) (?=\w)",
    re.I,
)
_WHAT_WAS = re.compile(
    r"\b(what|all|everything|whatever|that|which)((?: that)?) used to (?:be|sit|lie|stand|live|hang) "
    r"(?=(?:in|on|at)\b)",
    re.I,
)
_CROSSWISE = re.compile(
    r"\bwhere (?P<one>[^,;.]+?) (?:was|used to be),? there(?:['’]s| is) (?P<other>[^,;.]+?)(?: now)?"
    r",? and where (?P=other) (?:was|used to be),? there(?:['’]s| is) (?P=one)(?: now)?(?=[.!;]|$)",
    re.I,
)
"""Each of two things is told to be where the other was."""
_AWAY_FIRST = re.compile(rf"(?:^|(?<=[.;:!?] ))(off|away|out) (goes|went) ({_NAME})\b", re.I)
_POINTERS = re.compile(
    r"\b(?:over|coming in|(?:that|which|who) (?:stands|sits|hangs)) (?=(?:in|on)\b)", re.I
)
_WHERE_SOMEBODY_IS = re.compile(
    rf"\b((?:the|{_NAME}['’]s) {_NOUN}) is where ({_NAME}) (is|are|am)\b", re.I
)
_DOER_FIRST = re.compile(rf"\b(thanks to|courtesy of) ({_NAME}), ([^.;:!?]+)", re.I)
_DOER_LAST = re.compile(rf",( (?:thanks to|courtesy of) {_NAME}\b)", re.I)
_INCLUDED = re.compile(
    r", (?:the )?((?:(?:my|his|her|our|their) )?[^\W\d_]+(?: [^\W\d_]+)?) (?:included|in tow|and all)\b",
    re.I,
)
"""What somebody has with him: ``, the uniform included``."""
_LEADING = re.compile(r"\b(door|doorway) (?:that )?(?:leading|leads|going|goes) (?:in)?to\b", re.I)


def in_usual_order(text: str, is_called: Callable[[str], bool]) -> str:
    """Return a text with what is told of a thing afterwards put before its noun.

    ``is_called`` tells the words that name people and things of the world: ``the lamp of Ann's bedroom``
    speaks of the bedroom, and ``gave Ann that mug of Ben's`` of Ann too.
    """
    text = _SAME_PLACE.sub("there", _POINTERS.sub("", text))
    text = _INCLUDED.sub(_along, _LEADING.sub(r"\1 of", text))
    text = _AWAY_FIRST.sub(r"\3 \2 \1", _BACK.sub(FORMERLY, text))
    text = _IS_BACK.sub(_back_before, text)
    text = _CROSSWISE.sub(
        r"\g<one> and \g<other> swapped places",
        _WHAT_WAS.sub(r"\1\2 was ", _FROM_PLACE.sub(r"\1 ", text)),
    )
    text = _DOER_LAST.sub(r"\1", _DOER_FIRST.sub(r"\3 \1 \2", text))
    text = _WHERE_SOMEBODY_IS.sub(r"\2 \3 in \1", text)
    text = _ONE_OF_MANY.sub(_one_of_many, text)
    text = _LEVEL_AFTERWARDS.sub(r"the \3 \4 of the \1\2", text)
    text = _PLACE_AFTERWARDS.sub(r" \1", text)
    text = _DOUBLE_GENITIVE.sub(lambda m: _owned(m, is_called), text)
    text = _OF_MINE.sub(lambda m: f"{_OWN[m[2].lower()]} {m[1]}", text)
    text = _named_again(_TOLD_AFTERWARDS.sub(r"\1 \3 \2", text))
    return _CROSSWISE.sub(r"\g<one> and \g<other> swapped places", text)


def _along(found: re.Match[str]) -> str:
    """Return ``with the uniform`` for ``, uniform included``."""
    own = found[1].split()[0].lower() in ("my", "his", "her", "our", "their")
    return f" with {found[1] if own else f'the {found[1]}'}"


def _named_again(text: str) -> str:
    """Return a text that names once more which of two it means: ``the former``."""
    found = _FORMER.search(text)
    if found is None:
        return text
    rest = re.sub(r"\bthe former\b", found["one"], found["rest"], flags=re.I)
    rest = re.sub(r"\bthe latter\b", found["two"], rest, flags=re.I)
    return f"{text[: found.end()]}{rest}"


def _back_before(found: re.Match[str]) -> str:
    """Return ``back where it was before`` for ``back where she had got it from``, behind a verb of being."""
    return f"{found[1]} {FORMERLY}" if found[1] else FORMERLY


def _one_of_many(found: re.Match[str]) -> str:
    """Return ``the red mug`` for ``the red one of the mugs``, with whatever words follow."""
    words = found[2].split()
    end = next((n for n, word in enumerate(words, 1) if is_plural(word)), len(words))
    return " ".join(["the", found[1], singular(" ".join(words[:end])), *words[end:]])


def _owned(found: re.Match[str], is_called: Callable[[str], bool]) -> str:
    """Return ``Ann's mug`` for ``that mug of Ann's``, unless what follows is what she owns."""
    before, noun, name, after = found.groups()
    if any(map(is_called, after.split())) or (before is not None and is_called(before)):
        return found[0]
    return f"{before} {name}'s {noun}" if before is not None else f"{name}'s {noun}"
