"""Made-up blocks worlds of any size, to measure planning with.

Blocks stand at positions (X, Y) of a table or on each other; an arm moves above a block, grips it, moves
above the destination and releases it. A move starts from the table or from a block and ends on the table or
on a block: four actions with up to eight arguments, which is what makes grounding all of them expensive.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.errors import GroundingError

MOVES = {
    "shift": (False, False),
    "stack": (False, True),
    "unstack": (True, False),
    "restack": (True, True),
}
"""Name of a move → whether it starts from a block and ends on one."""
_PICK_AND_PLACE = (
    "reach_start(Arm, _, _, X1, Y1), reach_end(Arm, _, _, X1, Y1), grasp_start(Arm), grasp_end(Arm), "
    "reach_start(Arm, X1, Y1, X2, Y2), reach_end(Arm, X1, Y1, X2, Y2), let_go_start(Arm), let_go_end(Arm)"
)
_LOW = """
ll_action(reach_start(Arm, X1, Y1, X2, Y2),
    [ll_above(Arm, X1, Y1)],
    [ll_above(_, X2, Y2), ll_reaching(_, _, _, X2, Y2), ll_closing(Arm), ll_opening(Arm)],
    [ll_arm(Arm), place(X2, Y2)],
    [del(ll_above(Arm, X1, Y1)), add(ll_reaching(Arm, X1, Y1, X2, Y2))]).
ll_action(reach_end(Arm, X1, Y1, X2, Y2),
    [ll_reaching(Arm, X1, Y1, X2, Y2)], [], [ll_arm(Arm)],
    [del(ll_reaching(Arm, X1, Y1, X2, Y2)), add(ll_above(Arm, X2, Y2))]).
ll_action(grasp_start(Arm),
    [ll_hand(Arm, open)], [ll_reaching(Arm, _, _, _, _)], [ll_arm(Arm)],
    [del(ll_hand(Arm, open)), add(ll_closing(Arm))]).
ll_action(grasp_end(Arm), [ll_closing(Arm)], [], [ll_arm(Arm)],
    [del(ll_closing(Arm)), add(ll_hand(Arm, shut))]).
ll_action(let_go_start(Arm),
    [ll_hand(Arm, shut)], [ll_reaching(Arm, _, _, _, _)], [ll_arm(Arm)],
    [del(ll_hand(Arm, shut)), add(ll_opening(Arm))]).
ll_action(let_go_end(Arm), [ll_opening(Arm)], [], [ll_arm(Arm)],
    [del(ll_opening(Arm)), add(ll_hand(Arm, open))]).
"""

Tower = tuple[str, ...]
"""Blocks from the lowest to the highest."""
Towers = dict[tuple[int, int], Tower]


@dataclass(frozen=True, slots=True)
class World:
    """Where the blocks are and where they shall be."""

    width: int
    height: int
    agents: int
    init: Towers
    goal: Towers

    def program(self) -> str:
        """Return the base."""
        return "\n".join(_program(self)) + "\n"


def tower_world(blocks: int, positions: int, agents: int, moved: int = 3) -> World:
    """Return a world in which all blocks stand on the table and the first ones become a tower elsewhere."""
    width, height = _table(positions)
    spots = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)][:positions]
    if blocks >= positions or moved > blocks:
        raise GroundingError(
            f"{blocks} blocks on {positions} positions leave no free one for a tower of {moved}"
        )
    init: Towers = {spots[i]: (f"b{i + 1}",) for i in range(blocks)}
    goal = {spot: tower for spot, tower in init.items() if int(tower[0][1:]) > moved}
    goal[spots[-1]] = tuple(f"b{i + 1}" for i in range(moved))
    return World(width, height, agents, init, goal)


def random_world(
    blocks: int, positions: int, agents: int, rng: np.random.Generator, highest: int = 4
) -> World:
    """Return a world in which every block may have to move: towers at random, to towers at random."""
    width, height = _table(positions)
    spots = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)][:positions]
    return World(
        width,
        height,
        agents,
        _towers(blocks, spots, rng, highest),
        _towers(blocks, spots, rng, highest),
    )


def _table(positions: int) -> tuple[int, int]:
    width = math.ceil(math.sqrt(positions))
    return width, math.ceil(positions / width)


def _towers(
    blocks: int, spots: Sequence[tuple[int, int]], rng: np.random.Generator, highest: int
) -> Towers:
    order = [f"b{i + 1}" for i in rng.permutation(blocks)]
    free = [spots[i] for i in rng.permutation(len(spots))]
    towers: Towers = {}
    while order:
        size = min(len(order), int(rng.integers(1, highest + 1)))
        towers[free.pop()] = tuple(order[:size])
        order = order[size:]
    return towers


def _program(world: World) -> Iterator[str]:
    names = sorted((b for tower in world.init.values() for b in tower), key=lambda b: int(b[1:]))
    arms = [f"arm{i + 1}" for i in range(world.agents)]
    homes = {arm: (0, -i) for i, arm in enumerate(arms)}
    yield ":- discontiguous action/5, mapping/2."
    for y in range(1, world.height + 1):
        yield " ".join(f"place({x}, {y})." for x in range(1, world.width + 1))
    yield " ".join(f"block({b})." for b in names)
    yield " ".join(f"agent({arm}). ll_arm({arm})." for arm in arms)
    yield "resources(agent(_))."
    low = [f"ll_above({arm}, {x}, {y})" for arm, (x, y) in homes.items()]
    low += [f"ll_hand({arm}, open)" for arm in arms]
    free = [f"free({arm})" for arm in arms]
    yield f"init_state([{', '.join([*_facts(world.init), *free, *low])}])."
    yield f"goal_state([{', '.join([*_facts(world.goal), *free])}])."
    for name, (from_block, onto_block) in MOVES.items():
        yield from _move(name, from_block, onto_block)
    yield _LOW


def _facts(towers: Towers) -> Iterator[str]:
    for (x, y), tower in towers.items():
        yield f"standing({tower[0]})"
        yield f"clear({tower[-1]})"
        for low, high in itertools.pairwise(tower):
            yield f"on({high}, {low})"
        for block in tower:
            yield f"spot({block}, {x}, {y})"


def _move(name: str, from_block: bool, onto_block: bool) -> Iterator[str]:
    args = ["Arm", "Block", *(["Below"] if from_block else []), *(["Onto"] if onto_block else [])]
    head = f"{{}}({', '.join([*args, 'X1', 'Y1', 'X2', 'Y2'])})"
    leaves = "on(Block, Below)" if from_block else "standing(Block)"
    arrives = "on(Block, Onto)" if onto_block else "standing(Block)"
    needs = [leaves, "spot(Block, X1, Y1)", "free(Arm)", "clear(Block)"]
    forbids = [] if onto_block else ["spot(_, X2, Y2)", "coming(_, X2, Y2)"]
    goals = ["agent(Arm)", "block(Block)", "place(X2, Y2)"]
    removed = ["free(Arm)", "clear(Block)", leaves, "spot(Block, X1, Y1)"]
    if onto_block:
        needs += ["clear(Onto)", "spot(Onto, X2, Y2)"]
        goals += ["block(Onto)", "Block \\= Onto"]
        removed.append("clear(Onto)")
    running = f"doing_{name}" + head[2:]
    made = [running, *([] if onto_block else ["coming(Block, X2, Y2)"])]
    back = ["clear(Block)", arrives, "spot(Block, X2, Y2)", "free(Arm)"]
    back += ["clear(Below)"] if from_block else []
    effects = [f"del({f})" for f in removed] + [f"add({f})" for f in made]
    ends = [f"del({f})" for f in made] + [f"add({f})" for f in back]
    yield (
        f"action({head.format(name + '_start')}, [{', '.join(needs)}], [{', '.join(forbids)}], "
        f"[{', '.join(goals)}], [{', '.join(effects)}])."
    )
    yield f"action({head.format(name + '_end')}, [{running}], [], [agent(Arm)], [{', '.join(ends)}])."
    yield f"mapping({head.format(name + '_start')}, [{_PICK_AND_PLACE}])."
