"""The buttons about the mission that is shown: each press tells beside which plan or question it was drawn.

Another operator's plan may take the place of the one that somebody looks at while he presses. So each plan
and each question has buttons of its own, and what the station does not show any more it refuses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from commonground.console.record import MissionRecord
from commonground.console.station import Station

KEPT_S = 60.0
"""A press on a button that is gone is on its way for less than this."""


class Face(NamedTuple):
    """What an operator sees of a mission, as far as a press goes by it."""

    number: int = 0
    plans: int = 0
    state: str = ""
    question: str = ""
    candidates: tuple[tuple[str, str], ...] = ()
    """Symbols and what is written of them."""
    asks: bool = False
    """Whether it is asked if the one reading that is shown is meant."""


def face_of(
    record: MissionRecord | None, draft: MissionRecord | None, candidates: Sequence[tuple[str, str]]
) -> Face:
    """Return what is seen of a mission, and of its draft or of what is wanted besides."""
    if record is None or draft is None:
        return Face()
    asks = draft.state == "draft" and draft.answer is not None and draft.answer.meant is not None
    return Face(draft.number, draft.plans, draft.state, record.asks, tuple(candidates), asks)


class Offers:
    """Buttons that are there while they have an effect."""

    def __init__(
        self,
        tab: Any,
        add: Callable[..., Any],
        station: Station,
        edit: Callable[[Any, int], object],
        places: tuple[float, float],
    ) -> None:
        """``places`` are where in the tab candidates and all others begin."""
        self._tab, self._add, self._station, self._edit = tab, add, station, edit
        self._above, self._below = places
        self._face = Face()
        self._there: list[Any] = []
        self._gone: list[tuple[float, Any]] = []

    def show(self, face: Face) -> None:
        """Offer what can be done about what is seen now."""
        if face == self._face:
            return
        self._face, now_s = face, time.monotonic()
        for button in self._there:
            button.visible = False
            self._gone.append((now_s, button))
        while self._gone and now_s - self._gone[0][0] > KEPT_S:
            self._gone.pop(0)[1].remove()
        with self._tab:
            self._there = self._made(face)

    def _made(self, face: Face) -> list[Any]:
        station, number = self._station, face.number
        made = []
        for k, (symbol, named) in enumerate(face.candidates):
            chosen = partial(station.choose, symbol, number=number)
            made.append(self._add(named, chosen, order=self._above + 0.01 * k))
        approve = partial(station.approve, number, plans=face.plans)
        drop = partial(station.discard, number=number)
        yes = partial(station.answer, True, question=face.question)
        no = partial(station.answer, False, question=face.question)
        asked = face.state == "grounded" and bool(face.question)
        draft = asked or face.state in ("draft", "planned")
        gray, green = {"color": "gray"}, {"color": "green", "icon": "check"}
        rows: tuple[tuple[bool, str, Callable[..., Any], dict[str, Any]], ...] = (
            (bool(face.question), "Yes, go on", yes, {}),
            (bool(face.question), "No, end it", no, {}),
            (face.state == "planned", "Approve", approve, green),
            (face.asks, "Yes, that is meant", partial(station.confirm, number=number), green),
            (draft, "Edit", lambda e: self._edit(e, number), {**gray, "by_event": True}),
            (draft, "Discard", drop, gray),
        )
        for k, (there, label, act, look) in enumerate(rows):
            if there:
                made.append(self._add(label, act, order=self._below + 0.01 * k, **look))
        return made
