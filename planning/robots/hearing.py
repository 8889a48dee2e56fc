"""What robots tell, as far as it can be: checked once, where it comes in, whoever wrote the link."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError

from commonground.errors import MALFORMED
from commonground.planning.robots.protocol import RobotError, RobotLink, Status
from commonground.reasons import reason

EPS_M = 1e-3
UNREACHED = (RobotError, OSError)
"""What a link raises whose robot is out of reach."""
_STATUS: TypeAdapter[Status] = TypeAdapter(Status)


def heard(link: RobotLink) -> Status:
    """Return a robot's status; one that cannot be reached, or tells what cannot be, is told to be so."""
    try:
        told: Any = link.status()
    except UNREACHED as error:
        return Status(None, linked=False, detail=reason(error))
    except MALFORMED as error:  # the link does not understand its robot
        return Status(None, wrong=f"{type(error).__name__}: {reason(error)}")
    if not isinstance(told, Status):
        return Status(None, wrong=f"it is told as {type(told).__name__} and not as a Status")
    try:
        status = _STATUS.validate_python(asdict(told))
    except ValidationError as error:
        return Status(None, wrong=reason(error))
    return Status(None, wrong=wrong) if (wrong := _wrong(status)) else status


def _wrong(status: Status) -> str:
    """Return which number of a status cannot be, else ''."""
    points = [("its position", status.position or ())]
    points += [
        (f"the position of {s.thing or 'what it saw'}", s.position) for s in status.sightings
    ]
    for what, point in points:
        if not all(map(math.isfinite, point)):
            return f"{what} is {point}"
    sizes = [("gone_m", status.gone_m), *(("size_m", s.size_m) for s in status.sightings)]
    for what, meters in sizes:
        if not -EPS_M <= meters < math.inf:
            return f"{what} is {meters:g}"
    if not 0.0 <= status.battery <= 1.0:
        return f"battery is {status.battery:g}, and a share of 1 is meant"
    return ""
