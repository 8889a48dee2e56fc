"""Missions on a backend: begun from goals, resumed and replayed from their journals."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonground.atomic import write_text
from commonground.errors import CommongroundError, ConfigError, RunError, did_you_mean
from commonground.live.acts import Desk, happened, note
from commonground.live.bodies import Bodies, bodies_of
from commonground.live.control import Control, called
from commonground.live.folders import (
    LEARNED,
    TREE,
    Begun,
    check_faults,
    forget,
    header,
    keep,
    read_begun,
    was_approved,
)
from commonground.live.joining import call_out, leave, left_out, read_besides
from commonground.live.listening import Listening
from commonground.live.pausing import Gate
from commonground.live.real import REAL
from commonground.planning.behavior import tree_xml
from commonground.planning.mission.belief import SceneBelief, parsed_goals
from commonground.planning.mission.events import End, Join, StopPressed
from commonground.planning.mission.journal import (
    Journal,
    Step,
    is_commanded,
    plans_in_force,
    read_header,
    read_steps,
)
from commonground.planning.mission.learned import learned_scene
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import replayed
from commonground.planning.mission.settings import DEFAULTS, MissionSettings
from commonground.planning.mission.tree import tree_of_tasks
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.fleet import live_robots
from commonground.planning.scene.precedence import Before, parse_order
from commonground.planning.scene.wording import in_words, with_names
from commonground.robots import SIMULATED, Team, load_team
from commonground.scene import SceneGraph, load_scene, save_scene
from commonground.scene.locate import scene_file
from commonground.scene.strangers import strangers, tell_strangers

if TYPE_CHECKING:
    from commonground.grounding.answers import Grounding
    from commonground.grounding.grounder import Grounder

BACKENDS = (SIMULATED, *REAL)


def check_backend(name: str) -> None:
    """Raise ConfigError with those there are if there is no such backend."""
    if name not in BACKENDS:
        hint = did_you_mean(name, BACKENDS) or f" Known: {', '.join(BACKENDS)}."
        raise ConfigError(f"--backend {name}: there is no such backend.{hint}")


@dataclass(frozen=True, slots=True)
class Carried:
    """What came of a mission."""

    name: str
    folder: Path
    end: End
    lasted_s: float
    """Of the mission's time."""
    done: tuple[str, ...]
    """Finished tasks, in turn."""
    learned: tuple[str, ...]
    """What is otherwise in the scene than the map says, by whom and when."""
    before: bool = False
    """Whether it had ended before, so that nothing was driven now."""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "mission": self.name,
            "folder": str(self.folder),
            "status": self.end.status,
            "reason": self.end.reason,
            "goals": [asdict(one) for one in self.end.accounts],
            "lasted_s": round(self.lasted_s, 1),
            "done": list(self.done),
            "learned": list(self.learned),
            "ended_before": self.before,
        }


def begin_mission(
    folder: str | Path,
    scene: str | Path,
    robots: str | Path,
    goals: Mapping[str, str],
    desk: Desk,
    *,
    order: Sequence[Before] = (),
    leeway: Mapping[str, str] | None = None,
    text: str = "",
    remarks: str = "",
    backend: str = "sim",
    faults: Sequence[Fault] = (),
    seed: int = 0,
    pace: float = 0.0,
    limits: MissionSettings = DEFAULTS,
) -> Carried:
    """Carry goals out on a backend; the folder keeps all that is needed to resume, replay and explain it.

    ``remarks`` are what the speaker was told of ``text``, such as what of it is in no goal.
    Simulated time passes ``pace`` times as fast as real time, for 0 as fast as it can. What an error
    ends before it was approved leaves nothing.
    """
    folder = Path(folder)
    scene = Path(scene)
    robots = Path(robots)
    check_backend(backend)
    if backend in REAL and faults:
        raise ConfigError("--faults: only simulated robots have faults that are asked for")
    graph, team = load_scene(scene_file(scene)), load_team(robots, backend)
    _check(graph, team, goals, order, faults)
    if backend == SIMULATED:
        _check_standing(graph, team, goals)
    else:
        live_robots(team, backend, folder, graph)  # what is wrong is told before anything is kept
    keep(folder, scene, robots)
    first = header(folder.name, goals, order, text, backend, seed, faults, leeway, limits)
    with contextlib.closing(Journal(folder, first, desk.hear)) as journal:
        try:
            wanted = "; ".join(f"{name}: {in_words(goal, graph)}" for name, goal in goals.items())
            told = f" (told: {remarks})" if remarks else ""
            note(folder, desk.by, f"says: {text}{told}" if text else f"wants {wanted}")
            gate = Gate()
            with bodies_of(folder, backend, faults, (), pace, gate) as bodies:
                return _carried(folder, journal, desk, bodies, gate)
        except CommongroundError:
            if not was_approved(folder):
                forget(folder)
            raise


def _check(
    graph: SceneGraph,
    team: Team,
    goals: Mapping[str, str],
    order: Sequence[Before],
    faults: Sequence[Fault],
) -> None:
    """Raise what is wrong with a mission before anything of it is kept, planned or driven."""
    check_faults(faults, graph, team)
    parse_order(order, graph, parsed_goals(goals, graph, team))


def _check_standing(graph: SceneGraph, team: Team, goals: Mapping[str, str]) -> None:
    """Raise ConfigError where a robot that is to do something stands in another frame than the map."""
    for name, told in strangers(graph, team).items():
        if name in goals:
            raise ConfigError(told)
    tell_strangers(graph, team)


def resume_mission(folder: str | Path, desk: Desk, pace: float = 0.0) -> Carried:
    """Go on with a mission where its journal ends; nothing that was finished is done again."""
    folder = Path(folder)
    begun = read_begun(folder)  # what is wrong is told before the journal is opened for writing
    steps = list(read_steps(folder))
    if any(decided["kind"] == "end" for step in steps for decided in step.decided):
        return _ended(folder, begun, steps)
    with contextlib.closing(Journal(folder, tell=desk.hear)) as journal:
        steps = list(read_steps(folder))
        note(folder, desk.by, "takes it up again")
        gate = Gate()
        with bodies_of(folder, begun.backend, begun.faults, steps, pace, gate) as bodies:
            return _carried(folder, journal, desk, bodies, gate)


def _ended(folder: Path, begun: Begun, steps: Sequence[Step]) -> Carried:
    """Return what came of a mission that is over; no robot is reached for it."""
    mission = _mission(begun)
    if replayed(mission, steps) >= 0 or mission.end is None:
        raise RunError(f"{folder}: its journal is of another version, and cannot be told of")
    return _came(folder, begun, mission, steps[-1].time_s, before=True)


def join_mission(
    folder: str | Path,
    text: str,
    by: str,
    make_reader: Callable[[SceneGraph, Team], Grounder],
    confirmed: Callable[[Grounding], Grounding] = lambda found: found,
    told: Callable[[Grounding], None] = lambda found: None,
) -> tuple[Grounding, str]:
    """Leave words for a mission that another program carries out, and wait until it takes them in or not.

    Returns how they were understood, and why they are not taken in. A question back is left for nobody;
    ``confirmed`` may answer it. ``told`` is called when they are left: the mission asks who commands it.
    """
    folder = Path(folder)
    begun, steps, mission = _under_way(folder)
    first = str(read_header(folder).get("instruction", ""))
    found = confirmed(read_besides(make_reader, begun.graph, begun.team, mission, first, text))
    if found.status != "ok" or not found.goals:
        return found, ""
    more = Join(text, by, found.goals, tuple(found.order), found.leeway)
    leave(folder, more)
    told(found)
    return found, left_out(folder, more, mission, len(steps))


def call_mission(folder: str | Path, text: str, by: str) -> Control:
    """Say to a mission that another program carries out what holds at once, as if it were said there.

    Returns what that is; '' for an instruction, which is for ``join_mission``.
    """
    folder = Path(folder)
    meant = called(text, [robot.name for robot in _under_way(folder)[0].team])
    if meant and not call_out(folder, text, by):
        raise RunError(f"{folder}: “{text}” was not heard; the mission is over")
    return meant


def _under_way(folder: Path) -> tuple[Begun, list[Step], Mission]:
    """Return a mission that another program carries out, as far as its journal goes; RunError for none."""
    if not is_commanded(folder):
        ends = (d for step in read_steps(folder) for d in step.decided if d["kind"] == "end")
        over = next((f"it is over ({end['status']}); begin another one" for end in ends), "")
        raise RunError(
            f"{folder}: {over or 'nobody carries this mission out now; --resume goes on with it'}"
        )
    begun, steps = read_begun(folder), list(read_steps(folder))
    mission = _mission(begun)
    if replayed(mission, steps) >= 0:
        raise RunError(f"{folder}: its journal is of another version, and nothing can join it")
    if not was_approved(folder) or mission.end is not None:
        raise RunError(f"{folder}: {'it is over' if mission.end else 'nobody has approved it yet'}")
    return begun, steps, mission


def replay_mission(folder: str | Path) -> int:
    """Return how many steps a mission has, each decided again as it was; RunError where one differs."""
    folder = Path(folder)
    steps = list(read_steps(folder))
    wrong = replayed(_mission(read_begun(folder)), steps)
    if wrong >= 0:
        raise RunError(
            f"{folder}: step {wrong + 1} at {steps[wrong].time_s:.1f} s is decided otherwise now; "
            "the journal is of another version, or was changed"
        )
    return len(steps)


def explain_mission(folder: str | Path) -> list[str]:
    """Return what happened in a mission and why, a sentence a line."""
    folder = Path(folder)
    read_header(folder)
    lines = list(happened(folder)) if any(read_steps(folder)) else []
    return lines or ["it ended before its first step: nothing was planned or driven"]


def tree_of_mission(folder: str | Path) -> Path:
    """Write the last plan of a mission for all its robots as behavior trees; return the file."""
    folder = Path(folder)
    begun = read_begun(folder)
    steps = list(read_steps(folder))
    asks = (d for step in steps for d in step.decided if d["kind"] == "ask")
    whole = {ask["request"] for ask in asks if not ask["robots"]}
    plans = [p for p in plans_in_force(steps) if p.tasks and p.request in whole]
    if not plans:
        raise RunError(f"{folder}: there is no plan with tasks in this mission")
    radius_m = {r.name: r.radius_m for r in begun.team}
    tree = tree_of_tasks(plans[-1].tasks, radius_m, begun.limits)
    write_text(folder / TREE, tree_xml(tree))
    return folder / TREE


def _mission(begun: Begun) -> Mission:
    told = begun.goals, begun.order, begun.leeway
    return Mission(SceneBelief.of(begun.graph, begun.team, *told), begun.limits)


def _answer(
    desk: Desk, folder: Path, begun: Begun, taken: Sequence[str], mission: Mission, question: str
) -> bool | StopPressed:
    """Return what the operator answers; what was told to whom stands before the first plan, with names."""
    told = ""
    more = mission.joining if mission.offered is not None else None
    if mission.phase == "proposed" or more is not None:
        goals = begun.goals if more is None else more.goals
        wanted = (f"{name} shall {in_words(goal, begun.graph)}" for name, goal in goals.items())
        told = "".join(f"{line}; " for line in (*(taken if more is None else ()), *wanted))
    return desk.answer(folder, with_names(told + question, begun.graph))


def _carried(folder: Path, journal: Journal, desk: Desk, bodies: Bodies, gate: Gate) -> Carried:
    """Carry a mission out, from its begin or from where its journal ends."""
    begun, steps = read_begun(folder), list(read_steps(folder))
    with contextlib.closing(journal), Listening(folder, begun, desk, gate, bodies) as listening:

        def operator(mission: Mission, question: str) -> bool | StopPressed:
            said = _answer(desk, folder, begun, bodies.taken, mission, question)
            if said is True:
                listening.begin(runner)
            return said

        runner = bodies.runner(folder, journal, operator, listening.next_words)
        bodies.relive(runner, steps)
        if steps and runner.mission.phase != "proposed":  # nobody is asked any more
            for line in bodies.taken:
                desk.tell(line)
            listening.begin(runner)
        try:
            runner.resume(bodies.limit_s) if steps else runner.run(bodies.limit_s)
        except (Exception, KeyboardInterrupt) as error:
            desk.broke_off(folder, error, runner.left)
            raise
    return _came(folder, begun, runner.mission, bodies.clock.now_s())


def _came(
    folder: Path, begun: Begun, mission: Mission, now_s: float, *, before: bool = False
) -> Carried:
    """Keep the map as a mission left it, and return what came of it."""
    save_scene(learned_scene(mission.belief), folder / LEARNED)
    return Carried(
        begun.name,
        folder,
        mission.end or End("failed", "it has not ended"),
        now_s,
        tuple(f"{t.robot}: {t}" for t in mission.done),
        tuple(f"{c.text} ({c.robot}, {c.time_s:.0f} s)" for c in mission.belief.changes),
        before,
    )
