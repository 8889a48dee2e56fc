"""What maps say of how sure the looks of their nodes are, and encoders of how sure to be of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from commonground.arrays import Floats
from commonground.reading import read_json

SPREAD = "look_spread"
"""Column: how far an object's views differ in looks, 0 if all are alike, 1 if it has none."""
WEIGHT = "look_weight"
"""Column: how much was seen of an object in all, in views that show it large and whole."""

DOUBTFUL = 0.4
"""Probability up to which answers are taken as they are, since nobody acts on them."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How log odds that what was seen is what a noun means become probabilities; as they are by default.

    It belongs to a model's weights, as scale and bias do; ``tools/looks/calibrate.py`` fits it on maps whose
    true things are known.
    """

    prior: float = 0.0
    """Below 0 where things that are not there would be seen too often."""
    clarity: float = 0.0
    """For each e-fold of what was seen of a thing: few or small views tell less."""
    sure: float = 0.5
    """From this probability on a noun counts as likely; what is less sure stays below one half."""

    def chances(self, odds: Floats, weight: Floats) -> Floats:
        """Return how likely a noun is meant (n,), by log odds and how much was seen of each thing.

        Things that are not there are asked for as well, and in a large map one of many looks like them a
        little: so doubtful answers are squeezed together below one half, in their order.
        """
        p = 0.5 + 0.5 * np.tanh((odds + self.prior + self.clarity * np.log(weight)) / 2)
        doubtful = DOUBTFUL + (p - DOUBTFUL) * (0.5 - DOUBTFUL) / (self.sure - DOUBTFUL)
        return np.asarray(np.where((p > DOUBTFUL) & (p < self.sure), doubtful, p), float)

    @staticmethod
    def read(file: Path) -> Calibration:
        return Calibration(**{name: float(value) for name, value in read_json(file).items()})
