"""What an instruction means, before anything is looked up on a map: who does what to which things.

Both front ends produce these values, the resolver grounds them. They are plain frozen dataclasses;
``meaning_from_json`` is the border where a model's output is checked: unknown keys, wrong types and
words outside the vocabulary are errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, Union

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from commonground.errors import GroundingError

Kind: TypeAlias = Literal["thing", "object", "region", "place", "robot"]
"""What layer a reference is about; ``thing`` where the words do not say."""

How: TypeAlias = Literal[
    "nearest", "farthest", "near", "within", "beyond", "between",
    "left", "right", "front", "behind", "leftmost", "rightmost",
    "north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest",
    "in", "on", "under", "above", "contains", "same_region", "largest", "smallest", "tallest", "most",
    "fewest",
]  # fmt: skip
Antecedent: TypeAlias = Literal["it", "them", "former", "latter", "other", "there", "here"]
"""``here`` is where the robot stands that is addressed."""
Do: TypeAlias = Literal[
    "go", "be", "inspect", "pick", "take", "place", "avoid", "keep_away", "leave_alone", "explore",
    "mention", "remark",
]  # fmt: skip

ELIDED = "one"
"""The noun of ``the red one``: to be taken from a neighbor or from what was said before."""

TOLD = ("mention", "remark")
"""What is only said, with nothing to do."""

AVOIDING = ("avoid", "keep_away", "leave_alone")
"""What must not happen, all along."""

_strict = ConfigDict(extra="forbid")
Words: TypeAlias = Annotated[str, Field(max_length=80)]


@dataclass(frozen=True, slots=True)
class Relation:
    """A condition on a thing, relative to others or to the robot that is addressed."""

    __pydantic_config__: ClassVar[ConfigDict] = _strict
    how: How
    to: tuple[Reference, ...] = ()
    """The anchors; none: the robot that is addressed (or, for directions, the extreme of all)."""
    meters: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    rank: Annotated[int, Field(ge=1, le=999)] | None = None
    """2 for the second nearest."""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """Things picked out by class, name, symbol, attributes, relations, or by what was said before."""

    __pydantic_config__: ClassVar[ConfigDict] = _strict
    noun: Words = ""
    """Class or name, as spoken or as the map has it; '' for any."""
    kind: Kind = "thing"
    ids: tuple[Annotated[str, Field(max_length=24)], ...] = ()
    """Symbols (``O39``) or bare numbers where ``kind`` tells the letter."""
    amount: Literal["the", "all", "any"] = "the"
    """``the``: the one there is; ``all`` of them; ``any``: ``count`` of them, whichever."""
    count: Annotated[int, Field(ge=1, le=999)] | None = None
    total: Annotated[int, Field(ge=1, le=999)] | None = None
    """How many the speaker says there are: 2 in ``both``, 3 in ``two of the three``."""
    color: Words = ""
    where: tuple[Relation, ...] = ()
    but: tuple[Reference, ...] = ()
    """Exceptions."""
    of: Antecedent | None = None
    """Refers back: to the last thing (``it``), set (``them``), the one not yet taken (``other``), …"""
    mark: Annotated[int, Field(ge=1, le=999)] | None = None
    """By which this thing is taken up again."""
    again: tuple[int, ...] = ()
    """The marks of things spoken of before: the very same ones."""
    among: Reference | None = None
    """The things to pick from: ``the nearest of the boxes``."""
    trait: Words = ""
    """What is said of it and no map holds: ``heaviest``. It must not be needed to pick the thing out."""


@dataclass(frozen=True, slots=True)
class Several:
    """References joined by ``and`` (all) or ``or`` (any)."""

    __pydantic_config__: ClassVar[ConfigDict] = _strict
    join: Literal["all", "any"]
    things: Annotated[tuple[Reference, ...], Field(min_length=1, max_length=200)]


Reference: TypeAlias = Union["Thing", "Several"]


def things_in(what: Reference) -> Iterator[Thing]:
    if isinstance(what, Several):
        for one in what.things:
            yield from things_in(one)
    else:
        yield what


@dataclass(frozen=True, slots=True)
class Act:
    """One thing to do; ``be`` holds at the end, ``avoid`` all along, ``mention`` only introduces.

    To ``avoid`` is not to go there, to ``keep_away`` not even near, to ``leave_alone`` not to handle.
    A ``remark`` introduces things by saying of them what no map knows (``the bags look odd``); of an
    area that could be a rule, so it is asked about.
    To ``take`` a thing is to pick it up, to take an area is to go there (``you take the north lot``).
    """

    __pydantic_config__: ClassVar[ConfigDict] = _strict
    do: Do
    what: Reference
    to: Reference | None = None
    """Where to ``place``."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Tasks in sequence, all of them in any order, any one of them, or what must not be done."""

    __pydantic_config__: ClassVar[ConfigDict] = _strict
    order: Literal["sequence", "all", "any", "not"]
    tasks: Annotated[tuple[Task, ...], Field(min_length=1, max_length=100)]


Task: TypeAlias = Union["Act", "Plan"]


@dataclass(frozen=True, slots=True)
class Who:
    """The robots a task is for; without names, all there are."""

    __pydantic_config__: ClassVar[ConfigDict] = _strict
    names: tuple[Words, ...] = ()
    but: tuple[Words, ...] = ()
    """Robots left out: ``everyone except Husky``."""
    choose: Literal["each", "one", "other", "same", "told", "share"] = "each"
    """Each of them; one, whichever; the one that has no task yet; those of the assignment before; all that
    were told anything; or divide the work."""
    can: Literal["", "goto", "inspect", "pick", "place"] = ""
    """Only robots that can (or, ``cannot``, that can not) do this."""
    cannot: bool = False
    near: Reference | None = None
    """The robot nearest to this; an empty Thing is the task's own target."""
    farthest: bool = False

    @property
    def is_anybody(self) -> bool:
        """Whether the words leave it to whoever is best placed who does it."""
        picks = self.names or self.but or self.can or self.near not in (None, Thing())
        return not picks and (self.choose in ("one", "share") or self.near is not None)


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who does what, and whether it comes after what these robots were told before."""

    __pydantic_config__: ClassVar[ConfigDict] = _strict
    who: Who
    task: Task
    then: bool = False


@dataclass(frozen=True, slots=True)
class Instruction:
    """The whole instruction, in the order of its sentences."""

    __pydantic_config__: ClassVar[ConfigDict] = _strict
    assignments: Annotated[tuple[Assignment, ...], Field(min_length=1, max_length=50)]


@cache
def _adapter() -> TypeAdapter[Instruction]:
    return TypeAdapter(Instruction)


def meaning_from_json(text: str | bytes) -> Instruction:
    """Return the meaning that a JSON text states; GroundingError says what is wrong with it."""
    try:
        return _adapter().validate_json(text)
    except (ValidationError, RecursionError) as error:
        raise GroundingError(f"not a meaning: {_first_problems(error)}") from error


def meaning_to_json(meaning: Instruction) -> str:
    """Return the JSON text of a meaning, without what is at its default."""
    return _adapter().dump_json(meaning, exclude_defaults=True).decode()


def meaning_schema() -> dict[str, Any]:
    return _adapter().json_schema()


def _first_problems(error: ValidationError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    found = error.errors(include_url=False, include_input=False)[:3]
    return "; ".join(f"{'.'.join(map(str, d['loc'])) or 'the text'}: {d['msg']}" for d in found)
