"""Search configurations of Fast Downward."""

from __future__ import annotations

from typing import Literal

Mode = Literal["first", "anytime", "optimal"]

_LANDMARKS = "landmark_sum(lm_factory=lm_reasonable_orders_hps(lm_rhw()),pref=false)"

FIRST = (
    f"let(hlm,eval_modify_costs({_LANDMARKS},cost_type=one),let(hff,eval_modify_costs(ff(),cost_type=one),"
    "lazy_greedy([hff,hlm],preferred=[hff,hlm],cost_type=one,reopen_closed=false)))"
)
"""The first iteration of LAMA (Richter and Westphal 2010): any plan, soon."""

_WEIGHTED = "".join(
    f",lazy_wastar([hff2,hlm2],preferred=[hff2,hlm2],w={weight})" for weight in (5, 3, 2, 1)
)
ANYTIME = (
    f"let(hlm1,eval_modify_costs({_LANDMARKS},cost_type=one),let(hff1,eval_modify_costs(ff(),cost_type=one),"
    f"let(hlm2,eval_modify_costs({_LANDMARKS},cost_type=plusone),"
    "let(hff2,eval_modify_costs(ff(),cost_type=plusone),"
    "iterated([lazy_greedy([hff1,hlm1],preferred=[hff1,hlm1],cost_type=one,reopen_closed=false),"
    "lazy_greedy([hff2,hlm2],preferred=[hff2,hlm2],reopen_closed=false)"
    f"{_WEIGHTED}],repeat_last=true)))))"
)
"""LAMA: ever better plans; the last iteration repeats until no better plan exists."""

PLAIN = "let(hff,ff(),lazy_greedy([hff],preferred=[hff]))"
"""Needs no landmarks, where those cannot be computed."""

INFORMED_OPTIMAL = "astar(lmcut())"
"""LM-cut (Helmert and Domshlak 2009); does not know axioms."""

BLIND = "astar(blind())"
"""Admissible and complete whatever the task has; also proves that there is no plan."""

CHAINS: dict[Mode, tuple[str, ...]] = {
    "first": (FIRST, PLAIN, BLIND),
    "anytime": (ANYTIME, FIRST, PLAIN, BLIND),
    "optimal": (INFORMED_OPTIMAL, BLIND),
}
"""What to try in turn where the one before does not support the task."""
