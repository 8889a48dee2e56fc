"""The published way to plan: depth-first search in Prolog, kept to compare with."""

from __future__ import annotations

from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.load import Loaded
from commonground.grounding.prolog.base.terms import Term, from_json, key_of, text


def depth_first(
    engine: Engine, loaded: Loaded, depth: int, limit_s: float | None = None
) -> list[Term] | None:
    """Return a high-level plan with the fewest steps, found by iterative deepening up to a depth.

    None: there is none so short. PrologStopped is raised where the time is over first.
    """
    base = loaded.base
    low = base.state_keys("low") - base.state_keys("high")
    init = ", ".join(text(f.term) for f in base.init if key_of(f.term) not in low)
    goal = ", ".join(text(g.term) for g in base.goal if key_of(g.term) not in low)
    answer = engine.ask(
        "kb_search", loaded.module, f"[{init}]", f"[{goal}]", str(depth), limit_s=limit_s
    )
    return list(map(from_json, answer["plan"])) if "plan" in answer else None
