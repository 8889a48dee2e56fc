"""Find catalog things by words in campuses and offices that a robot mapped from pixels.

Run: python benchmarks/find_mapped.py [worlds of each kind] [first seed]

All things of a simulated campus and office are exchanged for kinds of the catalog, which no label list has.
A robot drives there with masks as a fast segmenter spoils them; the mapper makes objects of what it sees,
each with the mean embedding of its views. Then phrases by kinds, attributes and relations are asked for. A
thing is right if it is of the kind and color asked for, and near, in, or in sight of what was said, in the
true world.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from find import calibration_error, fitting

from commonground.arrays import Bools, Floats
from commonground.datasets.masks import degraded
from commonground.datasets.settings import (
    DrivingSettings,
    MaskSettings,
    SimulationSettings,
    WorldSettings,
)
from commonground.datasets.simulator.camera import Renderer
from commonground.datasets.simulator.simulation import Simulation
from commonground.datasets.world.model import Thing, World
from commonground.errors import GroundingError
from commonground.frame import Camera, Frame
from commonground.geometry import apply, inverse
from commonground.grounding.lookup import Finder
from commonground.grounding.lookup.hits import LIKELY
from commonground.grounding.lookup.sight import EYE_M, SIGHT_M
from commonground.grounding.lookup.where import NEAR_M
from commonground.mapping import load_meshed
from commonground.mapping.perception import Clip, GroundTruthPerception
from commonground.mapping.perception.settings import AREA_WORDS, SURFACE_WORDS
from commonground.mapping.perception.small import simulated
from commonground.mapping.run import map_robot
from commonground.scene import SceneGraph
from tools.showroom.catalog import attributes, catalog
from tools.showroom.furnished import furnished

ROBOT = "spot"
DRIVES = {"campus": (90.0, 160.0), "office": (30.0, 80.0)}
"""Size of the world and length of the drive, in meters."""
ASKED, ABSENT = 20, 60
"""Phrases of each sort in a world, and kinds asked for that are nowhere in it."""
WELL_PX, WELL_SEEN = 1000, 2
"""Pixels of a thing that lies within an image as a whole, and in how many images it has to."""
LEAST_PX = 40
BESIDE_M = 0.3
"""How far the middle of an object may be beside the thing that it is."""
SIDE_PX = 240
EYE = Camera("eye", np.array([[120.0, 0, 120], [0, 120, 120], [0, 0, 1]]), SIDE_PX, SIDE_PX)


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """A map, and which true thing each of its objects is."""

    world: World
    graph: SceneGraph
    T_world_map: Floats
    things: list[Thing | None]
    well: list[bool]
    """Whether each was seen whole and large enough a few times; only these are asked for."""

    @property
    def kinds(self) -> list[str]:
        """The kind of each object, '' for what is no thing."""
        return ["" if t is None else t.kind for t in self.things]


def mapped(kind: str, seed: int, encoder: Clip, folder: Path) -> Mapped:
    """Drive through a world with spoiled masks and return the map."""
    world = furnished(WorldSettings(kind=kind, seed=seed, size_m=DRIVES[kind][0]))
    masks = MaskSettings.realistic()
    settings = SimulationSettings(
        seed=seed, driving=DrivingSettings(length_m=DRIVES[kind][1], frame_rate_hz=1.0)
    )
    drive = Simulation((ROBOT,), settings, world=world)
    whole: Counter[int] = Counter()

    def spoil(frame: Frame) -> Frame:
        assert frame.instances is not None
        image = frame.instances
        edge = np.unique(np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]]))
        numbers, pixels = np.unique(image, return_counts=True)
        whole.update(np.setdiff1d(numbers[pixels >= WELL_PX], edge).tolist())
        return degraded(frame, masks, seed)

    sight = GroundTruthPerception(
        drive.labels(), SURFACE_WORDS, ignored=AREA_WORDS, encoder=encoder, spoil=spoil
    )
    map_robot(lambda _: drive.frames(ROBOT), sight, folder, robot=ROBOT)
    graph = load_meshed(folder / "scene.json")
    first = next(iter(drive.frames(ROBOT, stop_s=0.1)))
    assert first.T_world_cam is not None
    T_world_map = first.T_world_cam @ inverse(first.T_odom_cam)
    things = true_things(world, apply(T_world_map, graph.objects.positions))
    well = [t is not None and whole[t.index] >= WELL_SEEN for t in things]
    return Mapped(world, graph, T_world_map, things, well)


def true_things(world: World, at: Floats) -> list[Thing | None]:
    """Return the thing that each of some middles of objects (n, 3) is; None far from any.

    What was seen of a thing may lie to one side of it, or at its foot.
    """
    centers = np.array([t.box_center for t in world.things])
    size = np.array([t.box_size for t in world.things])
    out: list[Thing | None] = []
    for point in at:
        away = np.linalg.norm(centers - point, axis=1)
        nearest = int((away / np.maximum(0.5, size.max(axis=1) / 2)).argmin())
        aside = np.linalg.norm(centers[nearest, :2] - point[:2])
        reach = size[nearest, :2].max() / 2 + BESIDE_M
        out.append(world.things[nearest] if aside <= reach else None)
    return out


def asked(here: Mapped, rng: np.random.Generator) -> Iterator[tuple[str, str, str, set[int]]]:
    """Yield phrases by what they say, where that is said to be, and the rows that are right."""
    kinds = here.kinds
    known = [row for row, kind in enumerate(kinds) if kind and here.well[row]]
    colors = [attributes(t.shape)[0] if t is not None else "" for t in here.things]
    made_of = [attributes(t.shape)[1] if t is not None else "" for t in here.things]

    def alike(row: int) -> set[int]:
        return {k for k in fitting(kinds, kinds[row]) if colors[k] == colors[row]}

    for row in _some(known, rng):
        yield "kind", kinds[row], "", fitting(kinds, kinds[row])
    for row in _some(known, rng):
        yield "attribute", f"{colors[row]} {kinds[row]}", "", alike(row)
    for row in _some([k for k in known if made_of[k]], rng)[: ASKED // 4]:
        same = {k for k in fitting(kinds, kinds[row]) if made_of[k] == made_of[row]}
        yield "attribute", f"{made_of[row]} {kinds[row]}", "", same
    yield from _related(here, known, rng)


def _related(
    here: Mapped, known: list[int], rng: np.random.Generator
) -> Iterator[tuple[str, str, str, set[int]]]:
    kinds, graph = here.kinds, here.graph
    at = np.array([np.full(3, np.inf) if t is None else t.box_center for t in here.things])
    single = [k for k in known if len(fitting(kinds, kinds[k])) == 1]
    for row in _some(known, rng):
        near = [k for k in single if k != row and np.linalg.norm(at[k] - at[row]) < 0.8 * NEAR_M]
        if near:
            anchor = int(rng.choice(near))
            close = np.flatnonzero(np.linalg.norm(at - at[anchor], axis=1) <= NEAR_M)
            rows = fitting(kinds, kinds[row]) & set(close.tolist())
            yield "near", kinds[row], f"near the {kinds[anchor]}", rows
    region = graph.ancestors("objects", "regions")
    for row in _some([k for k in known if region[k] >= 0], rng)[: ASKED // 2]:
        inside = set(np.flatnonzero(region == region[row]).tolist())
        where = f"in {graph.regions.symbols[region[row]]}"
        yield "in", kinds[row], where, fitting(kinds, kinds[row]) & inside
    places, renderer = graph.layer("surface_places"), Renderer(here.world)
    for place in rng.permutation(len(places))[: ASKED // 2].tolist():
        eye = apply(here.T_world_map, places.positions[place] + [0, 0, EYE_M])
        seen = _in_sight(here, renderer, eye)
        if seen:
            row = int(rng.choice(sorted(seen)))
            where = f"visible from {places.symbols[place]}"
            yield "visible from", kinds[row], where, fitting(kinds, kinds[row]) & seen


def _in_sight(here: Mapped, renderer: Renderer, eye: Floats) -> set[int]:
    """Return the rows of the things that a camera turning around at a point sees well."""
    count: dict[int, int] = {}
    for yaw in np.arange(4) * np.pi / 2:
        forward = np.array([np.cos(yaw), np.sin(yaw), 0.0])
        pose = np.eye(4)
        pose[:3, :3] = np.stack([np.cross(forward, [0, 0, 1]), [0, 0, -1], forward], axis=1)
        pose[:3, 3] = eye
        image = renderer.view(EYE, pose).instances
        for index, pixels in zip(*np.unique(image, return_counts=True), strict=True):
            count[int(index)] = count.get(int(index), 0) + int(pixels)
    near: Bools = np.array(
        [t is not None and np.linalg.norm(t.box_center - eye) < SIGHT_M for t in here.things]
    )
    return {
        row
        for row, thing in enumerate(here.things)
        if thing is not None and near[row] and count.get(thing.index, 0) >= LEAST_PX
    }


def _some(rows: list[int], rng: np.random.Generator) -> list[int]:
    return [int(k) for k in rng.permutation(rows)[:ASKED]]


@dataclass(slots=True)
class Tally:
    """What was answered in all worlds so far."""

    right: dict[tuple[str, str], list[bool]] = field(default_factory=dict)
    said: list[tuple[float, bool]] = field(default_factory=list)
    absent: list[bool] = field(default_factory=list)

    def ask(self, kind: str, here: Mapped, encoder: Clip, rng: np.random.Generator) -> None:
        """Ask for what is in a world and for what is not."""
        finder = Finder(here.graph, encoder)
        for sort, phrase, where, rows in asked(here, rng):
            hits = found(finder, phrase, where)
            self.right.setdefault((kind, sort), []).append(bool(hits) and hits[0][0] in rows)
            if not where:
                self.said += [(p, row in rows) for row, p in hits]
        there = [t.kind for t in here.world.things]
        missing = [k for k in sorted(catalog()) if not fitting(there, k)]
        for phrase in rng.choice(missing, min(ABSENT, len(missing)), replace=False).tolist():
            hits = found(finder, phrase, "")
            self.absent.append(bool(hits) and hits[0][1] >= LIKELY)
            self.said += [(p, False) for _, p in hits[:1]]

    def sure(self) -> str:
        """Return how true the probabilities are."""
        return (
            f"calibration error {calibration_error(self.said):.3f} of {len(self.said)}, things that are "
            f"not there: confident {np.mean(self.absent):.1%} of {len(self.absent)}"
        )


def main() -> None:
    """Print the figures, those of probabilities after each world for all until then."""
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    encoder, tally = Clip(simulated()), Tally()
    for seed in range(first, first + worlds):
        for kind in DRIVES:
            begun = time.process_time()
            with tempfile.TemporaryDirectory() as scratch:
                here = mapped(kind, seed, encoder, Path(scratch))
            named, well = sum(map(bool, here.kinds)), sum(here.well)
            print(
                f"{kind} {seed}: {len(here.kinds)} objects, {named} are things, {well} seen well; "
                f"{time.process_time() - begun:.0f} s"
            )
            tally.ask(kind, here, encoder, np.random.default_rng(seed))
            print(f"  {tally.sure()}", flush=True)
    for sort in dict.fromkeys(sort for _, sort in tally.right):
        answers = {k: tally.right.get((k, sort), []) for k in DRIVES}
        shares = [f"{np.mean(v):.1%} of {len(v)} {k}" for k, v in answers.items() if v]
        print(f"{sort}: the right object first {', '.join(shares)}")
    print(tally.sure())


def found(finder: Finder, phrase: str, where: str) -> list[tuple[int, float]]:
    """Return the rows and probabilities of the objects found; nothing where the place is not clear."""
    try:
        hits = finder.find(phrase, where=where).hits
    except GroundingError:
        return []
    row = {symbol: k for k, symbol in enumerate(finder.graph.objects.symbols)}
    return [(row[h.symbol], h.probability or 0.0) for h in hits if h.layer == "objects"]


if __name__ == "__main__":
    main()
