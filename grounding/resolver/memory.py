"""Discourse memory of one instruction: the antecedents of it, them, the other one, there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from commonground.grounding.meaning import ELIDED, Reference, Several, Thing
from commonground.grounding.nodes import NodeKind
from commonground.grounding.resolver.choice import Choice, Joined, Pick, kinds_of, symbols_of

if TYPE_CHECKING:
    from commonground.grounding.resolver.scope import Scope


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """One reference as it was understood."""

    choice: Choice
    noun: str
    kind: NodeKind
    plural: bool
    stated: bool = False
    """Only spoken of, with nothing to do."""
    aside: bool = False
    """Only a landmark (the shelter in ``the bench near the shelter``)."""
    vague: bool = False
    """It is not said which of several things is meant (``a bag was left here``)."""
    nameless: bool = False
    """Only told of, by where it is (``something at the bench``): no place to go to by itself."""
    goal: bool = False
    """Where a robot was sent."""
    end: bool = False
    """Where a thing was put (the shelter in ``put the bag in the shelter``)."""
    again: bool = False
    """It refers back itself (``it``, ``the former``)."""
    mark: int | None = None
    """By which the instruction takes it up again."""

    @property
    def symbols(self) -> list[str]:
        return symbols_of(self.choice)

    @property
    def size(self) -> int:
        """How many things it stands for."""
        if isinstance(self.choice, Pick):
            return len(self.choice.options[0])
        return len(self.symbols)


@dataclass(slots=True)
class Memory:
    """Mentions in order; the last ones count."""

    mentions: list[Mention] = field(default_factory=list)

    def add(self, mention: Mention) -> None:
        """Remember a mention."""
        self.mentions.append(mention)

    def copy(self) -> Memory:
        """Return a memory that can go its own way."""
        return Memory(list(self.mentions))

    def single(
        self,
        kinds: Sequence[NodeKind],
        noun_rows: set[str] | None = None,
        *,
        handling: bool = False,
    ) -> Mention | None:
        """Return what ``it`` is: the last single thing of a fitting kind, landmarks only if nothing else.

        What is handled is rather the thing that was put somewhere than that place: ``Put the bag in the
        shelter. Check it.``
        """
        found = [
            m
            for m in self._recent(kinds, noun_rows)
            if m.size == 1 and not isinstance(m.choice, Joined)
        ]
        return self._last(sorted(found, key=lambda m: handling and m.end))

    def several(
        self, kinds: Sequence[NodeKind], noun_rows: set[str] | None = None
    ) -> Mention | None:
        """Return what ``they`` are: the last plural, or the last that stands for several things."""
        return self._last(m for m in self._recent(kinds, noun_rows) if m.plural or m.size > 1)

    def last_two(self, kinds: Sequence[NodeKind]) -> tuple[Choice, Choice] | None:
        """Return the former and the latter: the parts of the last pair, or the last two things."""
        singles: list[Choice] = []
        for mention in self._recent(kinds, None):
            if mention.aside or mention.again:
                continue
            parts = (
                mention.choice.parts if isinstance(mention.choice, Joined) else (mention.choice,)
            )
            if len(parts) == 2 and not singles:
                return parts[0], parts[1]
            singles += reversed(parts)
            if len(singles) >= 2:
                return singles[1], singles[0]
        return None

    def place(self) -> Mention | None:
        """Return what ``there`` is: where somebody was sent last, else the last area, else the last thing."""
        every = self._recent(("region", "place", "object"), None)
        recent = [m for m in every if m.size == 1 and not m.nameless]
        areas = (m for m in recent if m.kind in ("region", "place"))
        return self._last(m for m in recent if m.goal) or next(areas, None) or self._last(recent)

    def last_noun(self) -> Mention | None:
        """Return the last mention with a class, whose kind ``the red one`` is of."""
        return self._last(m for m in reversed(self.mentions) if m.noun)

    def told_of(self, last: Mention) -> Mention | None:
        """Return the several things that were only told of, of which a mention is one, or some."""
        several = (m for m in reversed(self.mentions) if m.stated and (m.plural or m.size > 1))
        like = (m for m in several if (m.kind, m.noun) == (last.kind, last.noun))
        return next((m for m in like if {*last.symbols} <= {*m.symbols}), None)

    def marked(self, mark: int) -> Mention | None:
        """Return the mention that bears a mark."""
        return next((m for m in reversed(self.mentions) if m.mark == mark), None)

    def _recent(self, kinds: Sequence[NodeKind], rows: set[str] | None) -> list[Mention]:
        return [
            m
            for m in reversed(self.mentions)
            if m.kind in kinds and (rows is None or rows.issuperset(m.symbols))
        ]

    @staticmethod
    def _last(found: Iterable[Mention]) -> Mention | None:
        """Return the first that is not only a landmark, else the first."""
        every = list(found)
        return next((m for m in every if not m.aside), every[0] if every else None)


def remember(
    scope: Scope,
    reference: Reference,
    choice: Choice,
    *,
    goal: bool = False,
    end: bool = False,
    aside: bool = False,
    part: bool = False,
) -> None:
    """Add to the memory what a reference turned out to be."""
    kinds = sorted(kinds_of(choice))
    if not kinds:
        return
    thing = reference if isinstance(reference, Thing) else None
    noun = thing.noun if thing is not None else ""
    if noun.rpartition(" ")[2] == ELIDED:
        last = scope.memory.last_noun()
        noun = last.noun if last is not None else ""
    scope.memory.add(
        Mention(
            choice,
            noun,
            kinds[0],
            plural=_is_plural(reference),
            stated=scope.telling and not part,
            aside=aside or part,
            vague=scope.telling and _is_vague(thing, choice),
            nameless=scope.telling and thing is not None and _is_nameless(thing),
            goal=goal,
            end=end,
            again=thing is not None and bool(thing.of is not None or thing.again),
            mark=thing.mark if thing is not None else None,
        )
    )


def _is_vague(thing: Thing | None, choice: Choice) -> bool:
    """Return whether one of several is spoken of, not saying which; of *any of the bags* no one is meant."""
    free = thing is None or thing.among is not None
    return isinstance(choice, Pick) and choice.open and not free


def _is_nameless(thing: Thing) -> bool:
    return not (thing.noun or thing.ids or thing.of or thing.again or thing.trait or thing.color)


def _is_plural(reference: Reference) -> bool:
    if isinstance(reference, Several):
        return True
    return reference.amount == "all" or (reference.amount == "any" and reference.count != 1)
