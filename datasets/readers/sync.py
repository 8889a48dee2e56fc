"""Messages of several topics put together by stamp, with bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

HELD = 90
"""Messages held per topic while their partners are awaited: three seconds at 30 Hz."""
LONG_AGO = -(2**62)


class Stamped(NamedTuple):
    """A message that is decoded only when somebody wants it."""

    stamp_ns: int
    read: Callable[[], Any]


Group: TypeAlias = Mapping[str, Stamped]
"""Role → message: ``color`` and ``depth``, and partners such as ``labels`` where there are some."""


class Synchronizer:
    """Pairs each color message of one camera with the depth message nearest in time, and with partners.

    Give it messages roughly in the order of time; complete groups come back in the order of their color
    stamps. What goes back in time is put on ``missed``; what finds no depth is counted in ``unpaired``.
    """

    def __init__(self, tolerance_s: float, partners: tuple[str, ...] = ()) -> None:
        """Pair within a tolerance; a group is complete early if all ``partners`` are there."""
        self.tolerance_ns = round(tolerance_s * 1e9)
        self.partners = partners
        self.missed: list[tuple[int, str]] = []
        self.unpaired = 0
        self.last_ns = LONG_AGO
        self._colors: deque[Stamped] = deque()
        self._others: dict[str, deque[Stamped]] = {}

    def add(self, role: str, message: Stamped) -> list[Group]:
        """Take a message; return the groups that are complete now."""
        queue = self._colors if role == "color" else self._others.setdefault(role, deque())
        queue.append(message)
        if role != "color" and len(queue) > HELD:
            queue.popleft()
        return self._ready(final=False)

    def finished(self) -> list[Group]:
        """Return the groups that can be made of what is left."""
        return self._ready(final=True)

    @property
    def horizon_ns(self) -> int:
        """No group with a stamp up to this one will come any more."""
        return self._colors[0].stamp_ns - 1 if self._colors else self.last_ns

    def _ready(self, *, final: bool) -> list[Group]:
        out: list[Group] = []
        while self._colors and (final or self._decided(self._colors[0].stamp_ns)):
            color = self._colors.popleft()
            depth = self._nearest("depth", color.stamp_ns)
            if color.stamp_ns <= self.last_ns:
                self.missed.append((color.stamp_ns, "its stamp goes back in time"))
                continue
            self.last_ns = color.stamp_ns
            if depth is None:
                self.unpaired += 1
                continue
            found = {role: self._nearest(role, color.stamp_ns) for role in self._others}
            out.append({"color": color, **{role: m for role, m in found.items() if m is not None}})
        return out

    def _decided(self, stamp_ns: int) -> bool:
        """Return whether waiting longer cannot better the group of a color message."""
        depths = self._others.get("depth", ())
        if len(self._colors) > HELD or any(
            d.stamp_ns > stamp_ns + self.tolerance_ns for d in depths
        ):
            return True
        return all(
            any(m.stamp_ns == stamp_ns for m in self._others.get(role, ()))
            for role in ("depth", *self.partners)
        )

    def _nearest(self, role: str, stamp_ns: int) -> Stamped | None:
        queue = self._others.get(role, deque())
        best = min(queue, key=lambda m: abs(m.stamp_ns - stamp_ns), default=None)
        if best is None or abs(best.stamp_ns - stamp_ns) > self.tolerance_ns:
            return None
        return best
