"""Offline first; the model where the words are not understood offline, or not surely enough."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from commonground.grounding.answers import Grounding
from commonground.grounding.frontends.modeled import TypedBackend
from commonground.grounding.frontends.plain_text import one_line

if TYPE_CHECKING:
    from commonground.grounding.grounder import Backend

logger = logging.getLogger(__name__)


class AutoBackend:
    """Believes what is read offline as far as that is sure, and says which reader answered and why."""

    def __init__(
        self,
        offline: Backend,
        typed: TypedBackend,
        ask_below: float = 0.0,
    ) -> None:
        self.offline, self.typed = offline, typed
        self.ask_below = ask_below
        self._reading = threading.Lock()  # what reads offline is made for one text at a time

    def ground(self, text: str) -> Grounding:
        """Return the offline answer, or the model's where that is missing or in doubt."""
        with self._reading:
            found, doubt = self._read(text)
        if not doubt or not text.strip():
            heard = "understood" if found.goals else "understood, and leave a question"
            return replace(found, why=f"offline: the words were {heard}{_so_sure(found)}")
        if not self.typed.model.configured:
            return replace(found, why=f"offline: no language model is set up, and {doubt}")
        asked = self.typed.ground(text)
        if not asked.failed:
            return replace(asked, why=f"{asked.backend}: {doubt}")
        logger.warning("read offline, because the model failed: %s", asked.message)
        warning = f"(Read offline, and {doubt}. The model could not be asked: {asked.message})"
        return replace(
            found,
            message=f"{found.message} {warning}".strip(),
            why=f"offline: {asked.message}",
            tokens=asked.tokens,
            cost=asked.cost,
        )

    def _read(self, text: str) -> tuple[Grounding, str]:
        """Return the offline answer and why to doubt it; empty where there is no reason."""
        found = self.offline.ground(text)
        if not found.understood:
            return found, "the words were not understood offline"
        if not (found.goals or found.ruled_out or found.candidates):
            return found, f"offline that is a question: {one_line(found.message, 160)}"
        if (found.confidence or 0.0) >= self.ask_below:
            return found, ""
        return found, f"the offline reading is doubtful{_so_sure(found)}, below {self.ask_below:g}"


def _so_sure(found: Grounding) -> str:
    return "" if found.confidence is None else f" (confidence {found.confidence:.2f})"
