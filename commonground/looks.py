"""What maps say of how sure the looks of their nodes are, and encoders of how sure to be of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from commonground.reading import read_json

SPREAD = "look_spread"
"""Column: how far an object's views differ in looks, 0 if all are alike, 1 if it has none."""
WEIGHT = "look_weight"
"""Column: how much was seen of an object in all, in views that show it large and whole."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is added to the log odds that what was seen is what a noun means; nothing for a model at its word.

    It belongs to a model's weights, as scale and bias do; ``tools/looks/calibrate.py`` fits it on maps whose
    true things are known.
    """

    prior: float = 0.0
    """Below 0 where things that are not there would be seen too often."""
    clarity: float = 0.0
    """For each e-fold of what was seen of a thing: few or small views tell less."""

    @staticmethod
    def read(file: Path) -> Calibration:
        """Return the numbers of a file."""
        return Calibration(**{name: float(value) for name, value in read_json(file).items()})
