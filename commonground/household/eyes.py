"""Cameras in households, and surroundings that are seen through them by a vision-language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from commonground.datasets.household.house import House
from commonground.datasets.household.pictures import draw_view
from commonground.errors import DataError
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.acting import Call, Sight
from commonground.grounding.repair.vision import Camera, ModelEyes, Picture
from commonground.household.surroundings import SimulatedSurroundings, robot_state
from commonground.names import within
from commonground.reading import IMAGE_MB, read_bytes

_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".gif")


class SimulatedCamera:
    """Draws what the simulated robots see."""

    def __init__(self, house: House) -> None:
        self.house = house

    def pictures(self) -> Sequence[Picture]:
        """Return a picture from each place where a robot stands."""
        return [Picture(place, draw_view(self.house, place)) for place in _places(self.house)]


class FolderCamera:
    """Takes the pictures of a folder: ``<place>.png`` (or jpg, webp, gif) shows that place."""

    def __init__(self, folder: Path, house: House) -> None:
        if not folder.is_dir():
            raise DataError(f"{folder}: there is no such folder of pictures")
        self.folder, self.house = folder, house

    def pictures(self) -> Sequence[Picture]:
        """Return the pictures there are of the places where robots stand."""
        found = []
        for place in _places(self.house):
            for file in (within(self.folder, f"{place}{ending}") for ending in _ENDINGS):
                if file.is_file():
                    found.append(Picture(place, read_bytes(file, IMAGE_MB)))
                    break
        return found


def _places(house: House) -> list[str]:
    return sorted({robot.at for robot in house.robots.values() if robot.at is not None})


class SeenSurroundings:
    """The simulated house, acted on as ever and seen through a camera only."""

    def __init__(self, inner: SimulatedSurroundings, camera: Camera, eyes: ModelEyes) -> None:
        self.inner, self.camera, self.eyes = inner, camera, eyes
        self.graph = HouseGraph()
        """What was believed when something was last predicted: what the model's words are checked against."""

    def look(self) -> Sight:
        """Return where the robots are and what they hold, which they feel, and what the pictures show."""
        seen = self.eyes.see(self.camera.pictures(), self.graph)
        felt = [
            fact for name in self.inner.house.robots for fact in robot_state(self.inner.house, name)
        ]
        held = {fact.object for fact in felt if fact.relation == "holds"}
        return replace(seen, facts=(*felt, *seen.facts), things=seen.things | held)

    def predict(self, graph: HouseGraph, calls: Sequence[Call]) -> HouseGraph:
        self.graph = self.inner.predict(graph, calls)
        return self.graph
