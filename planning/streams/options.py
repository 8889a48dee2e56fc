"""How a problem is solved: the keywords of the PDDLStream interface that have an effect here."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from commonground.planning.streams.language import INF

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Options:
    """What may be asked of a plan, how long it is looked for, and how the algorithms go about it."""

    unit_costs: bool = False
    success_cost: float = INF
    """A plan that costs less ends the search: any plan by default."""
    max_time: float = INF
    """In seconds, looked at between calls of streams."""
    max_planner_time: float = INF
    """In seconds of one search among what streams have yielded or may yield."""
    max_iterations: float = INF
    initial_complexity: int = 0
    complexity_step: int = 1
    max_complexity: float = INF
    max_skeletons: float = INF
    search_sample_ratio: float = 1.0
    """Seconds of sampling for one of search."""
    effort_weight: float | None = None
    """What a second of streams costs compared to actions; by default only ties are broken by effort."""
    reorder: bool = True
    replan_actions: frozenset[str] = frozenset()

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Options:
        """Return the options among keywords; those that steer another planner are said to have no effect."""
        known = {field.name for field in fields(cls)}
        if unused := sorted(given.keys() - known):
            _log.warning("without effect here: %s", ", ".join(unused))
        options = {name: value for name, value in given.items() if name in known}
        if options.get("max_skeletons", INF) is None:
            del options["max_skeletons"]
        actions = frozenset(str(name).lower() for name in options.pop("replan_actions", ()))
        return cls(**options, replan_actions=actions)
