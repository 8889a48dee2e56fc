"""Lists, pronouns and numbers: actions of the grammar that build references without nouns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from commonground.grounding.language.lexicon import Noun
from commonground.grounding.language.nominals import Join
from commonground.grounding.meaning import ELIDED, Antecedent, Kind, Reference, Several, Thing

MAX_RANGE = 50
LETTERS = {"object": "O", "region": "R", "place": "P"}


def joined(
    join: Join, first: Reference, last: Reference, more: Sequence[Reference] = ()
) -> Reference | None:
    """``the window, the flag and the door``; ``… or …``."""
    return several(join, [first, *more, last])


def several(join: Join, things: Sequence[Reference | None]) -> Several | None:
    """Return references joined and flattened; None if one of them is missing."""
    flat: list[Reference] = []
    for t in things:
        if t is None:
            return None
        flat += t.things if isinstance(t, Several) and t.join == join else (t,)
    return Several(join, tuple(_filled(flat)))


def _filled(things: list[Reference]) -> list[Reference]:
    """Give ``the red barrel and the blue one``, ``the north and the south lot`` their common noun."""
    nouns = [t for t in things if isinstance(t, Thing) and t.noun and not _is_elided(t)]
    return [_with_noun(t, nouns[0]) if nouns else t for t in things]


def _is_elided(t: Thing) -> bool:
    return t.noun.rpartition(" ")[2] == ELIDED


def _with_noun(t: Reference, lender: Thing) -> Reference:
    if not (isinstance(t, Thing) and _is_elided(t)):
        return t
    noun = f"{t.noun.removesuffix(ELIDED)}{lender.noun}".strip()
    return replace(t, noun=noun, kind=lender.kind)


# ---- pronouns ---------------------------------------------------------------------------------------


def back(of: str) -> Thing:
    """``it``, ``both of them``, ``the latter``, ``the others``: the values of BACK in the vocabulary."""
    special: dict[str, Thing] = {
        "both": Thing(of="them", amount="all", total=2),
        "any": Thing(of="them", amount="any", count=1),
        "others": Thing(of="other", amount="all"),
        "them": Thing(of="them", amount="all"),
    }
    return special.get(of) or Thing(of=cast(Antecedent, of))


def back_n(n: int, amount: str) -> Thing | None:
    """``two of them``, ``all three``."""
    if n < 1:
        return None
    if amount == "all":
        return Thing(of="them", amount="all", total=n)
    return Thing(of="them", amount="any", count=n)


def self_ref() -> Thing:
    """``you``: the robot that is addressed, as a place to measure from."""
    return Thing(kind="robot")


def robot_ref(robot: str) -> Thing:
    """``Husky``, as a place to measure from."""
    return Thing(kind="robot", noun=robot)


def there() -> Thing:
    """``there``."""
    return Thing(of="there")


# ---- symbols and numbers ----------------------------------------------------------------------------


def ids(
    first: Any, join: Join, more: Sequence[Any] = (), last: Any = None, kind: str = "thing"
) -> Reference | None:
    """``objects 44, 43 and O81``."""
    found = [str(i) for i in (first, *more, *(() if last is None else (last,)))]
    if any(symbol(i, kind) is None for i in found):
        return None
    layer = cast(Kind, kind)
    if join == "any":
        return Thing(kind=layer, ids=tuple(found), amount="any", count=1)
    return Thing(kind=layer, ids=tuple(found), amount="all" if len(found) > 1 else "the")


def symbol(s: str, kind: str | None = None) -> str | None:
    """``object O44``, but not ``object R5``."""
    letter = LETTERS.get(kind or "")
    return None if letter and s[0].isalpha() and s[0].upper() != letter else s


def noun_ids(noun: Noun, first: Any, more: Sequence[Any] = ()) -> Thing | None:
    """``box 178``, ``the boxes 178 and 193``."""
    if more and not noun.plural:
        return None
    found = tuple(str(i) for i in (first, *more))
    return Thing(noun=noun.words, ids=found, amount="all" if more else "the")


def id_range(kind: str, first: int, last: int) -> Thing | None:
    """``objects 3 to 6``."""
    if not 0 < last - first <= MAX_RANGE:
        return None
    return Thing(kind=cast(Kind, kind), ids=tuple(map(str, range(first, last + 1))), amount="all")
