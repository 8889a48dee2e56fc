"""Names of a map with signs in them: how they are read, and texts that have them so.

To who reads English a dot ends a sentence, an apostrophe owns and ``&`` lists; in a name they are letters.
``St. Mary's yard`` is read as ``St Marys yard``, and a text that speaks of it is read so as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from commonground.grounding.words.blanks import any_of
from commonground.scene import SceneGraph

_MARKUP = re.compile(r"<[^<>]*>")
_APOSTROPHES = "'’‘`´ʼ"
_WITHIN_WORDS = re.compile(rf"[{_APOSTROPHES}.]")
_OWNING = re.compile(rf"\w+[{_APOSTROPHES}]\w+")
_SHORTENED = re.compile(r"\b(?!No\b)([A-Z][^\W\d_]{1,3})\.(?=\s)")
_PARTED = re.compile(r"[\w\s-]*")
_PLAIN = re.compile(r"[\w\s-]*|.*\d\.\d.*")
_SYMBOL = re.compile(r"(?<!\w)([A-Za-z])\((\d+)\)")
"""As Spark-DSG writes symbols: ``O(19)``."""
_BELOW_ZERO = re.compile(r"\s[-−]")


class SpelledNames:
    """Finds names with signs in texts."""

    def __init__(self, names: Iterable[str]) -> None:
        every = [name for name in names if read_as(name)]
        self._own = {read_as(n).casefold(): n for n in every if has_signs(n)}
        found = {part for name in every for part in _parts(name)}
        self._known = [
            (_written(part), read_as(part)) for part in sorted(found, key=lambda p: (-len(p), p))
        ]
        self.shortened = frozenset(word for name in every for word in _SHORTENED.findall(name))
        """What ends in a dot in names, and is no name alone: ``Dr``."""
        self._joined = re.compile(
            rf"(?<!\w){any_of(sorted(n for n in every if '_' in n))}s?(?!\w)", re.I
        )
        """Names whose words the map joins, as ``office_chair``."""
        short = rf"(?<!\w)({any_of(sorted(self.shortened))})\.(?=\s+[^\W\d_a-z])"
        self._known.append((re.compile(short), r"\1"))

    def plain(self, text: str) -> str:
        """Return a text that has the names of the map as they are read, and symbols without brackets."""
        text = self._joined.sub(lambda one: one[0].replace("_", " "), _SYMBOL.sub(r"\1\2", text))
        for written, name in self._known:
            text = written.sub(name, text)
        return text

    def as_written(self, text: str) -> str:
        """Return a text that has the names of the map as the map writes them."""
        read = rf"(?<!\w){any_of(sorted(self._own, key=len, reverse=True))}(?!\w)"
        return re.sub(read, lambda one: self._own[one[0].casefold()], text, flags=re.IGNORECASE)


def read_as(name: str) -> str:
    """Return a name as it is read, without signs that have a meaning of their own."""
    return _made(_bare(name), str, _said).strip()


def has_signs(name: str) -> bool:
    """Return whether a name has others than those that part its words."""
    return _PARTED.fullmatch(name) is None


def names_of(graph: SceneGraph) -> Iterator[str]:
    """Yield all that nodes are called, as the map writes it."""
    for name, layer in graph.layers.items():
        yield from dict.fromkeys((*graph.label_words(name), *graph.proper_names(name)))
        yield from filter(
            None, (str(layer.metadata(k).get("called") or "") for k in range(len(layer)))
        )


def _parts(name: str) -> Iterator[str]:
    """Yield a name and what of it is said alone, each if it is not read as it is written."""
    for part in (name, _bare(name), *_OWNING.findall(name)):
        if not _PLAIN.fullmatch(part) or _BELOW_ZERO.search(part):
            yield part


def _bare(name: str) -> str:
    """Return a name without markup."""
    bare = " ".join(_MARKUP.sub(" ", name).split())
    return bare if any(map(str.isalnum, bare)) else name


def _made(name: str, word: Callable[[str], str], gap: Callable[[str, str], str]) -> str:
    """Return what is made of the words of a name, and of what stands between them."""
    pieces = [*re.split(r"(\w+)", name), ""]
    return "".join(
        word(piece) if k % 2 else gap(piece, pieces[k + 1]) for k, piece in enumerate(pieces[:-1])
    )


def _said(gap: str, behind: str) -> str:
    """Return how a name goes on between its words."""
    if "&" in gap:
        return " and "
    if _BELOW_ZERO.fullmatch(gap) and behind.isdigit():
        return " minus "
    within = _WITHIN_WORDS.fullmatch(gap) is not None
    return (gap if behind.isdigit() else "") if within else " " if gap else ""


def _written(name: str) -> re.Pattern[str]:
    """Return a pattern for what a name may be written as; signs that part no words may be left out."""
    if name != _bare(name):
        return re.compile(re.escape(name), re.IGNORECASE)
    made = _made(name.strip(), re.escape, _may_be_written).strip()
    return re.compile(rf"(?<!\w){made}(?!\w)", re.IGNORECASE)


def _may_be_written(gap: str, behind: str) -> str:
    signs = "".join(sorted({*gap} - {*" "}))
    if not signs:
        return r"\s+" if gap else ""
    some = f"[{re.escape(signs)}{_APOSTROPHES if _WITHIN_WORDS.search(signs) else ''}]"
    if "&" in signs:
        return r"\s*(?:&|\band\b)\s*"
    if not behind or _WITHIN_WORDS.fullmatch(gap):
        return f"{some}*"
    return rf"(?:\s*{some}+\s*|\s+)"
