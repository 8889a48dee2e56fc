"""Everything that is wrong with a knowledge base, named as its author would mend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from commonground.errors import GroundingError
from commonground.grounding.prolog.actions.lifted import lift
from commonground.grounding.prolog.actions.reachability import reach_findings
from commonground.grounding.prolog.base.engine import Engine, PrologStopped
from commonground.grounding.prolog.base.findings import Finding, Weight, errors_of
from commonground.grounding.prolog.base.load import Loaded, load, read_text
from commonground.grounding.prolog.checks.conditions import condition_findings
from commonground.grounding.prolog.checks.leaves import leaf_findings
from commonground.grounding.prolog.checks.levels import level_findings
from commonground.grounding.prolog.checks.mappings import mapping_findings
from commonground.grounding.prolog.checks.pairs import pair_findings
from commonground.grounding.prolog.checks.times import time_findings
from commonground.grounding.prolog.checks.trial_runs import trial_findings
from commonground.grounding.prolog.search.total_order import HighTask
from commonground.grounding.prolog.settings import PrologSettings

EMPTY_GOAL = (
    "the goal is empty, so nothing is to be done; name in goal_state what has to hold in the end"
)


def check_file(
    path: str | Path, settings: PrologSettings | None = None, *, seed: int = 0
) -> list[Finding]:
    """Return all findings of a base in a file; nothing of it is trusted."""
    program = read_text(path)
    with Engine(settings) as engine:
        return check(engine, program, str(path), seed=seed)


def check(engine: Engine, program: str, source: str = "base", *, seed: int = 0) -> list[Finding]:
    """Return all findings of a base: of its text, of what it states, and of trying its mappings out."""
    loaded = load(engine, program, source)
    findings = [*loaded.findings, *static_findings(loaded)]
    too_early = any(f.kind == "goal-order" for f in errors_of(findings))  # it may never end
    if not errors_of(loaded.findings) and not too_early:
        findings += _dynamic(engine, loaded, bool(errors_of(findings)), seed)
    return sorted(set(findings))


def static_findings(loaded: Loaded) -> Iterator[Finding]:
    """Yield what is wrong with what a base states, as it is read."""
    base = loaded.base
    if any(f.kind == "syntax" for f in loaded.findings):
        return  # what was not read is not missing
    yield from pair_findings(base)
    yield from condition_findings(base)
    yield from mapping_findings(base)
    yield from time_findings(base)
    yield from level_findings(base)
    yield from leaf_findings(base)
    if not base.goal:
        yield Finding(0, 0, "goal", EMPTY_GOAL, Weight.WARNING)


def _dynamic(engine: Engine, loaded: Loaded, has_errors: bool, seed: int) -> Iterable[Finding]:
    """Yield what needs the grounding goals to be evaluated and mappings to be executed."""
    findings: list[Finding] = []
    try:
        lifted = lift(engine, loaded)
        findings += reach_findings(loaded.base, lifted)
        if not has_errors and not errors_of(findings):
            findings += _goal_findings(HighTask(engine, loaded))
    except PrologStopped:
        raise
    except GroundingError as error:
        message = str(error).removeprefix(f"{loaded.base.source}: ")
        return [*findings, Finding(0, 0, "grounding", message)]
    if not has_errors:
        findings += trial_findings(engine, loaded, seed)
    return findings


def _goal_findings(task: HighTask) -> Iterator[Finding]:
    """Yield that no plan reaches the goal, where that can be seen at once or in a small search."""
    from commonground.grounding.prolog.bounds.outlook import Outlook  # loads a compiler

    if found := Outlook(task).hopeless():
        yield Finding(*task.base.goal[0].place, "unreachable-goal", f"no plan is there: {found}")


def summary(findings: Iterable[Finding]) -> str:
    """Return how many findings there are of each weight, in words."""
    found = list(findings)
    if not found:
        return "nothing to mend"
    counts = [(sum(f.weight is weight for f in found), weight.value) for weight in Weight]
    return ", ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counts if n)
