"""What did not happen to one of the things that were told of: ``the pie never left the table``.

That is where it was before the report that moved it, and no word about the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from commonground.grounding.memory.rewriting.apposition import FORMERLY

_NAME = r"[^\W\d_]+(?:-[^\W\d_]+)*(?:['’]s)?"
_THE = r"(?:the|my|his|her|our|their|that|[^\W\d_]+['’]s)"
_WHAT = rf"(?P<what>\b{_THE}(?: {_NAME}){{1,3}}?|\bit|\b[^\W\d_]+)"
_NOT = r"(?:(?:has |had |['’]s |['’]d )?never|(?:did|has|had)(?:n['’]t| not))(?: actually| really| even)?"
_LEFT = re.compile(
    rf"{_WHAT} {_NOT} (?:(?P<left>left|leave)|budged? from|moved? from|come off)"
    r" (?:(?P<its>(?:its|their) [^,;.:!?]*)|(?P<where>[^,;.:!?]*))",
    re.I,
)
_STAYED = re.compile(
    rf"{_WHAT} (?:(?:has )?(?:stayed|remained) (?:put|behind|where it was|in its place)"
    rf"|{_NOT} (?:moved?|budged?|gone?|went)(?= |$|[,;.!]))",
    re.I,
)
_OTHERS = re.compile(
    r"(?:^|(?<=[,;.!?:–—]))\s*(?:(?:and|but) )?(?:all )?(?:of )?(?:the )?"
    r"(?:others?|rest|other (?:things|ones)|everything else) (?:did|do|does|went|is|are|was|were)"
    r"(?: (?:all )?(?:go|move|moved|gone|right|correct|true|as I said))?"
    r"(?: though| however)?(?=\s*[,;.!?]|\s*$)[,;.!?]?",
    re.I,
)
"""That it happened to the others says nothing new."""


def exempts(text: str) -> bool:
    """Return whether a text says of one thing that it was not moved."""
    return _LEFT.search(text) is not None or _STAYED.search(text) is not None


def only_stays(sentence: str) -> bool:
    """Return whether a sentence only tells that a thing stayed: ``it never left its hook``."""
    plain = sentence.strip(" .!")
    left = _LEFT.fullmatch(plain)
    return _STAYED.fullmatch(plain) is not None or (left is not None and left["its"] is not None)


def where_it_stayed(
    text: str,
    moved: Callable[[str], str],
    is_person: Callable[[str], bool],
    is_room: Callable[[str], bool],
) -> str:
    """Return a text with where a thing is that never left: ``the pie is still at the table``.

    ``moved`` returns what a thing is called that words name and the report before moved, or nothing: such a
    thing is back where it was, and nothing else that is called so. Who did not leave a thing somewhere is
    where he likes.
    """

    def stayed(found: re.Match[str]) -> str:
        what = moved(found["what"])
        return f"{what} is {FORMERLY}" if what else found[0]

    def left(found: re.Match[str]) -> str:
        what, where = found["what"], found["where"]
        if where is None:
            return stayed(found)
        inside = is_room(re.sub(rf"^{_THE} ", "", where)) or is_room(where)
        if is_person(what):
            return f"{what} is still in {where}" if inside else found[0]
        called = not what.isalpha() or what.lower() == "it"
        what = moved(what) or what
        return f"{what} is still {'in' if inside else 'at'} {where}" if called else found[0]

    if not exempts(text):
        return text
    return _STAYED.sub(stayed, _LEFT.sub(left, _OTHERS.sub("", text))).strip()
