"""Route: the answer to a route problem."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.planning.result import Status


@dataclass(frozen=True, slots=True)
class Route:
    """The order of the stops, the node each is made at, and what is known about its quality."""

    status: Status
    """SOLVED, UNSOLVABLE (proven, with the reason) or NOT_FOUND within the limits."""
    order: tuple[int, ...] = ()
    """All stops in the order of the visit."""
    nodes: tuple[int, ...] = ()
    """The path over nodes: the start, then one node a stop."""
    cost: float = float("inf")
    lower_bound: float = 0.0
    """No route costs less."""
    optimal: bool = False
    """Whether ``cost`` is proven to be the least."""
    reason: str = ""
    """Why there is no route, empty when there is one."""

    @property
    def gap(self) -> float:
        """By which part of ``cost`` the optimum may be lower; 0 when proven optimal."""
        if self.optimal or self.cost == self.lower_bound:
            return 0.0
        return (self.cost - self.lower_bound) / self.cost
