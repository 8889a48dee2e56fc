"""More for a mission under way: words are read on the map as the mission has it, with those before them."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonground.atomic import write_text
from commonground.errors import CommongroundError
from commonground.live.folders import CALL, LETTER
from commonground.planning.mission.events import Join, Note, of_json, to_json
from commonground.planning.mission.joining import passed
from commonground.planning.mission.journal import is_commanded, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.remaining import all_of, parts_of
from commonground.planning.mission.spoken import asked_in
from commonground.planning.pddl import TRUE, Atom, Formula, nnf, to_pddl
from commonground.planning.scene import Before
from commonground.planning.scene.goal import Literal, literals, parse_goal
from commonground.planning.team.check import AWAY
from commonground.planning.team.world import scene_after
from commonground.reading import parse_json, read_bytes
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.scene.gone import with_gone

if TYPE_CHECKING:
    from commonground.grounding.answers import Grounding
    from commonground.grounding.grounder import Grounder

_CHOSEN = re.compile(r" \(([A-Z]\w*(?:, [A-Z]\w*)*)\)$")


LOOK_S = 0.2
"""Who waits for an answer looks for it this often."""


Read = Callable[[str, Sequence[str]], "Grounding"]
"""Reads a text, with what was chosen where it was asked back about."""


def team_after(team: Team, mission: Mission) -> Team:
    """Return the team where its robots stand in a mission, or stood when it ended."""
    robots = {}
    for robot in team:
        pose = robot.T_map_robot.copy()
        pose[:3, 3] = mission.crew[robot.name].position
        robots[robot.name] = replace(robot, T_map_robot=pose)
    return Team(robots)


def graph_after(graph: SceneGraph, mission: Mission) -> SceneGraph:
    """Return the map with things where a mission found them or put them, and with what is gone."""
    belief = mission.belief
    now = dict(belief.state.lies)  # its thread may go on meanwhile
    lies = {thing: place for thing, place in now.items() if place != AWAY}
    after = scene_after(belief.graph, belief.layer, lies, set(belief.state.safe))
    return replace(with_gone(after, dict.fromkeys(list(belief.gone), ())), mesh=graph.mesh)


def said(text: str, chosen: Sequence[str]) -> str:
    return f"{text} ({', '.join(chosen)})" if chosen else text


def besides(found: Grounding, text: str, first: str, mission: Mission, read: Read) -> Grounding:
    """Return what words want of a mission besides, with the bans and the order that those before them mean.

    All is read once more as if it had been said at once: so a ban for everybody binds whom nothing was told
    before, and what comes then comes after what was said first. Where that cannot be read, all bans bind.
    """
    if found.meant is not None:
        return replace(found, meant=besides(found.meant, text, first, mission, read))
    before = [words for words in (first, *(more.text for more in mission.joined)) if words]
    if not before or not found.goals:  # it was begun with goals, each for whom it names
        return found
    both = read(*_at_once(before, text))
    graph, spoken = mission.belief.graph, mission.belief.score.spoken
    bans = dict.fromkeys(one.part for one in spoken if not asked_in(one.part))
    goals = _goals(found.goals, graph)
    if both.status != "ok" or not both.goals:
        return replace(found, goals=_texts(_meant(goals, {}, all_of(*bans), bans)))
    goals = _meant(goals, _goals(both.goals, graph), TRUE, bans)
    old = _atoms(part for one in spoken for part in asked_in(one.part))
    return replace(found, goals=_texts(goals), order=_order(both, goals, old, graph))


def only_bans(goals: Mapping[str, str], graph: SceneGraph) -> bool:
    """Return whether goals keep robots out of somewhere, and want nothing else."""
    return bool(goals) and not any(parts_of(goal)[0] for goal in _goals(goals, graph).values())


def _order(
    both: Grounding, goals: Mapping[str, Formula], old: set[Formula], graph: SceneGraph
) -> tuple[Before, ...]:
    """Return the order of all words at once, as far as something new comes then."""
    new = _atoms(x for goal in goals.values() for x in literals(goal))
    return tuple(pair for pair in both.order if _joins(pair, old, new, graph))


def _texts(goals: Mapping[str, Formula]) -> dict[str, str]:
    return {name: " ".join(to_pddl(goal).split()) for name, goal in goals.items()}


def _at_once(before: Iterable[str], text: str) -> tuple[str, list[str]]:
    """Return all that was said as one text, and what was chosen for it."""
    texts, chosen = [], []
    for said_before in (*before, text):
        one, some = _unsaid(said_before)
        texts.append(one if one.rstrip()[-1:] in ".!?;" else f"{one}.")
        chosen += some
    return " ".join(texts), chosen


def _meant(
    goals: Mapping[str, Formula],
    at_once: Mapping[str, Formula],
    others: Formula,
    bans: Iterable[Formula],
) -> dict[str, Formula]:
    """Return new goals as all words at once have them: where their robots end, and which bans bind them."""
    found = {}
    for name, goal in goals.items():
        to_do, avoided = parts_of(at_once.get(name, others))
        meant = {passed(part): part for part in to_do}
        own, own_bans = parts_of(goal)
        bound = dict.fromkeys([*own_bans, *(ban for ban in bans if ban in avoided)])
        found[name] = all_of(*(meant.get(passed(part), part) for part in own), *bound)
    return found


def _atoms(found: Iterable[Literal]) -> set[Formula]:
    return {Atom(x.predicate, x.args) for x in found}


def _goals(goals: Mapping[str, str], graph: SceneGraph) -> dict[str, Formula]:
    return {name: nnf(parse_goal(goal, graph)) for name, goal in goals.items()}


def _unsaid(text: str) -> tuple[str, list[str]]:
    """Return an instruction, and what was chosen, as ``said`` joined them."""
    chosen = _CHOSEN.search(text)
    return (text, []) if chosen is None else (text[: chosen.start()], chosen[1].split(", "))


def _joins(pair: Before, old: set[Formula], new: set[Formula], graph: SceneGraph) -> bool:
    """Return whether an order has something new come then."""
    first, then = (_atoms(literals(nnf(parse_goal(one.goal, graph)))) for one in pair)
    return then <= new and (first <= new or set(map(passed, first)) <= set(map(passed, old)))


def read_besides(
    make_reader: Callable[[SceneGraph, Team], Grounder],
    graph: SceneGraph,
    team: Team,
    mission: Mission,
    first: str,
    text: str,
    answers: Sequence[str] = (),
) -> Grounding:
    """Return what an instruction wants of a mission besides, on the map and with the robots as they are now.

    ``first`` are the words with which it was begun.
    """
    reader = make_reader(graph_after(graph, mission), team_after(team, mission))

    def read(said: str, chosen: Sequence[str]) -> Grounding:
        return reader.answering([*chosen, *answers]).ground(said)

    return besides(read(text, ()), text, first, mission, read)


# ---- what another program wants ----


def leave(folder: Path, more: Join) -> None:
    """Leave words for a mission that another program carries out; whoever else leaves some, none is lost."""
    _post(folder, LETTER, to_json(more))


def call_out(folder: Path, text: str, by: str) -> bool:
    """Say to a mission that another program carries out what holds at once; return whether it was heard."""
    file = _post(folder, CALL, {"text": text, "by": by})
    while file.exists():
        if not is_commanded(folder):
            return False
        time.sleep(LOOK_S)
    return True


def _post(folder: Path, kind: str, values: object) -> Path:
    file = folder / kind.replace("*", f"{time.time_ns():020d}-{uuid.uuid4().hex}")
    write_text(file, json.dumps(values))
    return file


def called_out(folder: Path) -> Iterator[tuple[str, str]]:
    """Take what was called out to a mission, first things first: the words, and by whom."""
    for values in _posted(folder, CALL):
        with contextlib.suppress(KeyError, TypeError):
            yield str(values["text"]), str(values["by"])


def taken(folder: Path) -> Join | None:
    """Take the words that were left for a mission first; None for none, or for what is none.

    What cannot be read or removed is passed over, so that it keeps nobody else's words back.
    """
    for values in _posted(folder, LETTER):
        with contextlib.suppress(CommongroundError):
            if isinstance(more := of_json(values), Join):
                return more
    return None


def _posted(folder: Path, kind: str) -> Iterator[Any]:
    """Take what was left, in turn; whatever else lies there ends no mission."""
    for file in sorted(folder.glob(kind)):
        with contextlib.suppress(OSError, CommongroundError):
            try:
                values = read_bytes(file)
            finally:
                file.unlink()
            yield parse_json(values, file)


def left_out(folder: Path, more: Join, mission: Mission, seen: int) -> str:
    """Wait until words that were left are taken in; return why they are not, in the mission's own words.

    ``mission`` has had so many steps of the journal, and follows it from there.
    """
    while True:
        goes_on = is_commanded(folder)
        for step in itertools.islice(read_steps(folder), seen, None):
            seen += 1
            was_it = mission.joining == more or more in step.told
            notes = [d.text for d in mission.step(step.time_s, step.told) if isinstance(d, Note)]
            if more in mission.joined:
                return ""
            if was_it and mission.joining != more:
                left = f"“{more.text}” is not taken in"
                return next((note for note in notes if note.startswith(left)), left)
        if not goes_on:
            return f"“{more.text}” is not taken in: the mission is over"
        time.sleep(LOOK_S)
