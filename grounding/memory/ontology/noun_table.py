"""Which things of a world a noun names, worked out for a noun when that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

Noun: TypeAlias = tuple[str, ...]


class NounTable(Mapping[Noun, Mapping[str, int]]):
    """Noun → thing → how directly it names it."""

    def __init__(self, order: Mapping[str, int]) -> None:
        """With where in the world each thing stands."""
        self._order = order
        self._told: dict[Noun, list[tuple[Sequence[str], int, bool]]] = {}
        self._known: dict[Noun, Mapping[str, int]] = {}

    def tell(self, noun: Noun, things: Sequence[str], rank: int, *, behind: bool = False) -> None:
        """Let a noun name some things, in the order of the world; ``behind`` what it names otherwise."""
        self._told.setdefault(noun, []).append((things, rank, behind))
        self._known.pop(noun, None)

    def __getitem__(self, noun: Noun) -> Mapping[str, int]:
        if noun not in self._known:
            self._known[noun] = self._ranked(self._told[noun])
        return self._known[noun]

    def _ranked(self, told: Sequence[tuple[Sequence[str], int, bool]]) -> Mapping[str, int]:
        ranks: dict[str, int] = {}
        for things, rank, _ in told:
            ranks |= {t: min(rank, ranks.get(t, rank)) for t in things}
        if len(told) < 2:
            return ranks
        before = {t for things, _, behind in told if not behind for t in things}
        ordered = sorted(ranks, key=lambda t: (t not in before, self._order[t]))
        return {t: ranks[t] for t in ordered}

    def __iter__(self) -> Iterator[Noun]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)
