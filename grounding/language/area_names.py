"""Areas said in part, or in front of what is in them: ``the bins at Oak``, ``the north lawn benches``.

Who works somewhere does not say its names in full. A part of a name that only one area has, and that stands
where a name stands (no article before it, no noun behind), is that name; and what stands right behind an
area's name is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping

from commonground.grounding.linking import TELLING_APART
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.colors import names_color
from commonground.grounding.words.nouns import plural

_LEADING = (
    r"\b(?:in|at|to|from|on|near|into|inside|outside|around|of|less|except|excluding|and|or"
    r"|visit|enter|avoid)"
)
"""Right before a word without an article, the name of somewhere may follow."""
_ENDING = (
    r"(?=\s*(?:[.,;:!?)]|$)"
    r"|\s+(?:and|or|then|but|while|after|before|please|ones?|as|with|when|till|until)\b)"
)
_ALL = r"(?:(?:all|both|every|each|any|the|those|these|some|no|that|one|two|three)\s+){0,3}"
_PLACED = re.compile(r"\b(?:in|at|on|to|across|through|into)\s+(?:the\s+)?$", re.IGNORECASE)
"""Right before an area's name: where something is done, with whatever stands behind."""
_MARKS = re.compile(r"[.,;:!?]")
_NEAR = 25
"""So many letters from a part of a name, the kind of several areas may be said: ``stages Oak and Barn``."""


def in_full(text: str, names: Iterable[str], taken: Collection[str]) -> str:
    """Return a text with full names of areas that it calls by a part; ``taken`` are words for all else."""
    parts = _parts(names, taken)
    if not parts:
        return text
    text = _listed(text, parts)
    said = re.compile(rf"(?P<lead>{_LEADING}\s+)(?P<part>{any_of(parts)}){_ENDING}", re.IGNORECASE)

    def full(found: re.Match[str]) -> str:
        before = _MARKS.split(text[: found.start()])[-1][-_NEAR:]
        around = f"{before} {text[found.end() : found.end() + _NEAR]}".casefold()
        known = not found["part"][0].isupper() or _kind(found["part"], parts) in around
        return found[0] if known else found["lead"] + _full(found["part"], parts)

    return said.sub(full, text)


def _listed(text: str, parts: Mapping[str, str]) -> str:
    """Return a text with the kind of several areas at each of them: ``stages Oak and Barn``."""
    one = rf"{any_of(parts)}\b"
    kinds = any_of(sorted({plural(_kind(part, parts)) for part in parts}, key=len, reverse=True))
    listed = re.compile(
        rf"\b(?P<kind>{kinds})\s+(?P<list>{one}(?:\s*,\s*{one})*\s*,?\s*(?:and|or)\s+{one})", re.I
    )

    def apart(found: re.Match[str]) -> str:
        said = {word.casefold() for word in re.findall(one, found["list"], re.I)}
        if {plural(_kind(word, parts)) for word in said} != {found["kind"].casefold()}:
            return found[0]
        return re.sub(one, lambda part: _full(part[0], parts), found["list"], flags=re.I)

    return listed.sub(apart, text)


def _kind(part: str, parts: Mapping[str, str]) -> str:
    """Return the rest of a name: ``stage`` of ``oak stage``."""
    part = part.casefold()
    return " ".join(word for word in parts[part].split() if word != part)


def _full(part: str, parts: Mapping[str, str]) -> str:
    """Return a name with the part of it that was said as it was said."""
    words = parts[part.casefold()].split()
    return " ".join(part if word == part.casefold() else word for word in words)


def _parts(names: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """Return the first and last words of names that only one of them has, each with its name."""
    found: dict[str, list[str]] = {}
    for name in {name.casefold() for name in names if " and " not in name}:
        for word in {*name.split()}:
            found.setdefault(word, []).append(name)
    return {
        word: named
        for word, (named, *others) in found.items()
        if not others and word in (named.split()[0], named.split()[-1]) and word != named
        and word.isalpha() and word not in TELLING_APART and word not in taken and not names_color(word)
    }  # fmt: skip


def things_in_areas(
    text: str, named: Collection[str], others: Iterable[str], is_thing: Callable[[str], bool]
) -> str:
    """Return a text in which what stands behind an area's name is in it: ``the bins in the food court``.

    Areas come by their names, and others by what they are.
    """
    areas = sorted({*named, *others}, key=len, reverse=True)
    said = re.compile(
        rf"\b(?P<all>{_ALL})(?P<area>{any_of(areas)})\s+(?P<what>(?:(?P<color>[a-z]+)\s+)?(?P<noun>[a-z]+))\b",
        re.IGNORECASE,
    )

    def inside(found: re.Match[str]) -> str:
        noun, area = found["noun"].casefold(), found["area"]
        together = f"{area.split()[-1]} {noun}".casefold()
        known = noun in ("one", "ones") or (is_thing(noun) and not is_thing(together))
        colored = found["color"] is None or names_color(found["color"])
        if not (known and colored) or _PLACED.search(text[: found.start("area")]):
            return found[0]
        article = "" if area.casefold() in named else "the "
        return f"{found['all']}{found['what']} in {article}{area}"

    return said.sub(inside, text)
