"""Broken frames: skipped and counted, until there are too many of them."""

from __future__ import annotations

import logging
import re
from collections import Counter
from dataclasses import dataclass, field

from commonground.errors import DataError

_FILE = re.compile(r"\s\S+\.(?:png|jpe?g|tiff?|pgm|npy|exr)\b", re.IGNORECASE)
"""The file that a reason names: the same is wrong with others."""
log = logging.getLogger(__name__)
MOST_LEFT_OUT = 0.9
"""A pass in which a larger share of the images found no partner has been set up wrongly."""


@dataclass
class Health:
    """Counts what was read and what was skipped; past ``max_share`` reading stops with an error."""

    max_share: float = 0.2
    """Largest share of broken frames that is put up with."""
    at_least: int = 20
    """Frames seen before the share is judged, so that one bad start does not end a long run."""
    good: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    first: str = ""
    """The first broken frame and what is wrong with it."""
    sound: int = 0
    """Frames before it."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Images that are sound but cannot be used, such as color that came faster than depth."""

    @property
    def skipped(self) -> int:
        """How many frames were skipped."""
        return sum(self.reasons.values())

    @property
    def seen(self) -> int:
        """How many frames were tried."""
        return self.good + self.skipped

    def begin(self) -> None:
        """Forget what was counted so far: a pass begins that is accounted for by itself."""
        self.good, self.first = 0, ""
        self.reasons.clear()
        self.left_out.clear()

    def passed(self) -> None:
        """Count a good frame."""
        self.good += 1

    def skip(self, where: str, reason: str) -> None:
        """Count a broken frame; DataError once the share is too large."""
        self.reasons[_FILE.sub("", reason)] += 1
        if not self.first:
            self.first, self.sound = f"{where}: {reason}", self.good
            log.warning("skipped %s", self.first)
        if self.seen >= self.at_least:
            self._judge()

    def leave_out(self, reason: str) -> None:
        """Count an image that cannot be used through no fault of its own."""
        self.left_out[reason] += 1

    def finished(self) -> None:
        """Judge a finished pass, however short; DataError if nothing or too little was good."""
        if self.skipped:
            self._judge()
        out = self.left_out.total()
        if out > MOST_LEFT_OUT * (self.seen + out):
            reason = self.left_out.most_common(1)[0][0]
            raise DataError(f"{out} of {self.seen + out} images cannot be used: {reason}")

    def _judge(self) -> None:
        if self.skipped > self.max_share * self.seen:
            alone = (
                f"; the {self.sound} frames before it are sound, and can be read alone (--stop)"
                if self.sound >= self.at_least
                else ""
            )
            raise DataError(
                f"{self.skipped} of {self.seen} frames are broken, more than {self.max_share:.0%}; "
                f"the first: {self.first}{alone}"
            )

    def summary(self) -> str:
        """Return one line for people, empty when all was well."""
        lines = [f"left out {n} images: {reason}" for reason, n in self.left_out.most_common()]
        if self.skipped:
            parts = ", ".join(f"{n} × {reason}" for reason, n in self.reasons.most_common())
            lines.append(
                f"skipped {self.skipped} of {self.seen} frames: {parts}; the first: {self.first}"
            )
        return "; ".join(lines)
