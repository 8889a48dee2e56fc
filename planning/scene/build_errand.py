"""From one alternative of a goal to an errand: which stops make it true, and in which order."""

from __future__ import annotations

import numpy as np

from commonground.planning.scene.branch import Branch
from commonground.planning.scene.carrying import Carrying
from commonground.planning.scene.drafting import Draft
from commonground.planning.scene.errand import Errand, Impossible
from commonground.planning.scene.final import finish
from commonground.planning.scene.limits import forbid_places, refuse_contradictions
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.planning.scene.visits import explore, visit
from commonground.robots import Robot


def build_errand(branch: Branch, robot: Robot, road: Roadmap, start: Spot) -> Errand:
    """Return the errand of a branch; with a ``reason`` if it is impossible before any route is sought."""
    errand = Errand(np.zeros(len(road.positions), bool))
    draft = Draft(branch, robot, road, start, errand)
    carrying = Carrying(draft)
    try:
        refuse_contradictions(draft)
        forbid_places(draft)
        for literal in draft.demanded("safe"):
            carrying.inspect(literal.args[0])
        carrying.bring()
        carrying.take()
        visit(draft, carrying)
        explore(draft)
        finish(draft, carrying)
    except Impossible as impossible:
        errand.reason = str(impossible)
    return errand
