"""Small random cells of blocks and arms, and their shortest makespan found in another way.

The search here knows blocks, arms and a tool, not bases: it walks through whole seconds and keeps every
state that may be reached by then. It shares nothing with the planner but the text of the base.
`benchmarks/cells.py` compares the two on many of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Cell:
    """Blocks on spots and on each other, arms that reach some spots, and one tool for heavy blocks."""

    arms: int
    spots: int
    reach: tuple[frozenset[int], ...]
    """The spots each arm reaches."""
    init: tuple[int, ...]
    """What each block stands on: a block by its number, or -1 - spot."""
    goal: tuple[tuple[int, int], ...]
    """(block, what it shall stand on)."""
    heavy: frozenset[int]
    """Blocks that need the tool while an arm has them."""
    pick_s: int
    put_s: int
    hidden: bool
    """Whether only the low level knows what arms reach."""

    def program(self) -> str:
        """Return the base."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        blocks = range(len(self.init))
        yield ":- discontiguous action/5, ll_action/5."
        yield " ".join(f"arm(r{a}). ll_arm(r{a})." for a in range(self.arms))
        yield " ".join(f"block(b{b})." for b in blocks)
        yield " ".join(f"spot(s{s})." for s in range(self.spots))
        yield from (
            f"reaches(r{a}, s{s})." for a in range(self.arms) for s in sorted(self.reach[a])
        )
        if not any(self.reach):
            yield "reaches(_, _) :- fail."
        yield "resources(arm(_))."
        yield from (f"heavy(b{b})." for b in sorted(self.heavy))
        yield from (f"light(b{b})." for b in blocks if b not in self.heavy)
        yield "heavy(none). light(none)."
        support = [_name(s) for s in self.init]
        facts = [f"on(b{b}, {support[b]})" for b in blocks]
        facts += [f"at(b{b}, s{self._spot(b)})" for b in blocks]
        facts += [f"at(s{s}, s{s})" for s in range(self.spots)]
        everything = [f"b{b}" for b in blocks] + [f"s{s}" for s in range(self.spots)]
        facts += [f"clear({t})" for t in everything if t not in support]
        facts += [f"idle(r{a})" for a in range(self.arms)]
        facts += [f"ll_hand(r{a}, empty)" for a in range(self.arms)] + ["ll_tool(free)"]
        yield f"init_state([{', '.join(facts)}])."
        yield f"goal_state([{', '.join(f'on(b{b}, {_name(s)})' for b, s in self.goal)}])."
        reach = "" if self.hidden else "reaches(A, P), reaches(A, Q), "
        yield (
            "action(move_start(A, B, F, T, P, Q), "
            "[idle(A), on(B, F), at(B, P), clear(B), clear(T), at(T, Q)], [], "
            f"[arm(A), block(B), spot(P), spot(Q), {reach}B \\= T], "
            "[del(idle(A)), del(on(B, F)), del(at(B, P)), del(clear(B)), del(clear(T)), "
            "add(moving(A, B, F, T, P, Q))])."
        )
        yield (
            "action(move_end(A, B, F, T, P, Q), [moving(A, B, F, T, P, Q)], [], [arm(A)], "
            "[del(moving(A, B, F, T, P, Q)), add(on(B, T)), add(at(B, Q)), add(clear(B)), "
            "add(clear(F)), add(idle(A))])."
        )
        low = "reaches(A, P)"
        for kind, needs, takes, gives in (
            ("light", "", "", ""),
            ("heavy", ", ll_tool(free)", "del(ll_tool(free)), ", ", add(ll_tool(free))"),
        ):
            yield (
                f"ll_action(pick_start(A, B, P), [ll_hand(A, empty){needs}], [], "
                f"[ll_arm(A), {kind}(B), {low}], [{takes}del(ll_hand(A, empty)), add(ll_busy(A, B))])."
            )
            yield (
                f"ll_action(put_end(A, B, P), [ll_busy(A, B)], [], [ll_arm(A), {kind}(B)], "
                f"[del(ll_busy(A, B)), add(ll_hand(A, empty)){gives}])."
            )
        yield (
            "ll_action(pick_end(A, B, P), [ll_busy(A, B)], [], [ll_arm(A)], "
            "[del(ll_busy(A, B)), add(ll_hand(A, B))])."
        )
        yield (
            f"ll_action(put_start(A, B, P), [ll_hand(A, B)], [], [ll_arm(A), {low}], "
            "[del(ll_hand(A, B)), add(ll_busy(A, B))])."
        )
        yield (
            "mapping(move_start(A, B, F, T, P, Q), [pick_start(A, B, P), pick_end(A, B, P), "
            "put_start(A, B, Q), put_end(A, B, Q)])."
        )
        yield f"duration(pick, {self.pick_s}, {self.pick_s}). duration(put, {self.put_s}, {self.put_s})."

    def _spot(self, block: int) -> int:
        below = self.init[block]
        return -1 - below if below < 0 else self._spot(below)


def _name(support: int) -> str:
    return f"b{support}" if support >= 0 else f"s{-1 - support}"


def random_cell(rng: np.random.Generator, most_blocks: int = 4) -> Cell:
    """Return a cell of at least 2 blocks and 1 to 3 arms, solvable or not."""
    blocks, arms = int(rng.integers(2, most_blocks + 1)), int(rng.integers(1, 4))
    spots = int(rng.integers(3, 6))
    narrow = rng.random() < 0.5
    reach = tuple(
        frozenset(s for s in range(spots) if not narrow or rng.random() < 0.65) for _ in range(arms)
    )
    init, goal = _towers(blocks, spots, rng), _towers(blocks, spots, rng)
    asked = [b for b in range(blocks) if rng.random() < 0.8] or [0]
    pairs = [(b, goal[b]) for b in asked]
    if rng.random() < 0.08 and blocks > 1:
        pairs = [(0, 1), (1, 0)]
    heavy = frozenset(b for b in range(blocks) if rng.random() < 0.35)
    return Cell(
        arms, spots, reach, init, tuple(pairs), heavy,
        int(rng.integers(1, 3)), int(rng.integers(1, 3)), bool(rng.random() < 0.5),
    )  # fmt: skip


def _towers(blocks: int, spots: int, rng: np.random.Generator) -> tuple[int, ...]:
    below = [0] * blocks
    tops = [-1 - s for s in rng.permutation(spots)[: max(1, int(rng.integers(1, blocks + 1)))]]
    for block in rng.permutation(blocks):
        pile = int(rng.integers(len(tops)))
        below[block], tops[pile] = int(tops[pile]), int(block)
    return tuple(below)


Hand = tuple[str, int, int, int, int, int]
"""(phase, seconds left, block, from, to, spot from where) of an arm; phase '' is idle."""
IDLE: Hand = ("", 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class _State:
    below: tuple[int | None, ...]
    """What each block stands on; None: it is on its way."""
    hands: tuple[Hand, ...]
    tool: bool = True


def shortest_s(cell: Cell, most: int = 60_000) -> float | None:
    """Return the shortest makespan; infinite: there is no plan; None: too many states to tell."""
    layer = _closed({_State(cell.init, (IDLE,) * cell.arms)}, cell)
    seen: set[_State] = set()
    now = 0
    while layer:
        if any(_done(state, cell) for state in layer):
            return float(now)
        seen |= layer
        if len(seen) > most:
            return None
        ticked = {t for state in layer if (t := _tick(state)) is not None}
        layer = _closed(ticked, cell) - seen
        now += 1
    return float("inf")


def _done(state: _State, cell: Cell) -> bool:
    return all(h == IDLE for h in state.hands) and all(state.below[b] == s for b, s in cell.goal)


def _tick(state: _State) -> _State | None:
    """Let a second pass; a state in which nothing passes it leads nowhere new."""
    if all(h[1] == 0 for h in state.hands):
        return None
    return replace(state, hands=tuple((h[0], max(0, h[1] - 1), *h[2:]) for h in state.hands))  # type: ignore[misc]


def _closed(states: set[_State], cell: Cell) -> set[_State]:
    """Return all states that are reached without time passing."""
    found, left = set(states), list(states)
    while left:
        for after in _steps(left.pop(), cell):
            if after not in found:
                found.add(after)
                left.append(after)
    return found


def _steps(state: _State, cell: Cell) -> Iterator[_State]:
    for arm, (phase, left, block, source, target, spot) in enumerate(state.hands):
        if left > 0:
            continue
        heavy = block in cell.heavy
        if phase == "":
            yield from _moves(state, cell, arm)
        elif phase == "begun" and spot in cell.reach[arm] and (state.tool or not heavy):
            hand = ("picks", cell.pick_s, block, source, target, spot)
            yield _with(state, arm, hand, tool=state.tool and not heavy)
        elif phase == "picks":
            if _spot_of(state, target) in cell.reach[arm]:
                yield _with(state, arm, ("puts", cell.put_s, block, source, target, spot))
        elif phase == "puts":
            below = tuple(target if b == block else s for b, s in enumerate(state.below))
            yield _with(replace(state, below=below), arm, IDLE, tool=state.tool or heavy)


def _moves(state: _State, cell: Cell, arm: int) -> Iterator[_State]:
    taken = {s for s in state.below if s is not None}
    taken |= {t for h in state.hands if h != IDLE for t in (h[3], h[4])}
    flying = {b for b, s in enumerate(state.below) if s is None}
    things = [*range(len(state.below)), *(-1 - s for s in range(cell.spots))]
    for block, source in enumerate(state.below):
        if source is None or block in taken:
            continue
        spot = _spot_of(state, source)
        for target in things:
            if target in taken or target == block or target in flying:
                continue
            end = _spot_of(state, target)
            if not cell.hidden and not {spot, end} <= cell.reach[arm]:
                continue
            below = tuple(None if b == block else s for b, s in enumerate(state.below))
            hand = ("begun", 0, block, source, target, spot)
            yield _with(replace(state, below=below), arm, hand)


def _spot_of(state: _State, thing: int) -> int:
    while thing >= 0:
        below = state.below[thing]
        if below is None:  # it is not asked for what is on its way
            return -1
        thing = below
    return -1 - thing


def _with(state: _State, arm: int, hand: Hand, tool: bool | None = None) -> _State:
    hands = tuple(hand if a == arm else h for a, h in enumerate(state.hands))
    return replace(state, hands=hands, tool=state.tool if tool is None else tool)
