"""What grounding answers: goals with reasons, or a question back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import Goals
from commonground.planning.pddl import Formula
from commonground.planning.scene import Before


@dataclass(frozen=True, slots=True)
class Grounding:
    """The answer to an instruction."""

    status: Literal["ok", "clarify", "failed"]
    """``failed``: nothing was understood or misunderstood, because no model could be asked."""
    goals: Mapping[str, str] | None
    """PDDL goal of each robot that has something to do."""
    message: str
    reasons: tuple[Mapping[str, Any], ...] = ()
    candidates: tuple[str, ...] = ()
    """What a question offers to choose from."""
    backend: str = "offline"
    tokens: Mapping[str, int] = field(default_factory=dict)
    """Tokens a language model took, by kind; empty without one."""
    cost: float = 0.0
    """What they cost, at the prices of the settings."""
    understood: bool = True
    """Whether the words were understood; a question may still be left about what they refer to."""
    confidence: float | None = None
    """How probable it is that the text means this, where that was judged."""
    ruled_out: bool = False
    """The words are plain, and the map or the robots rule out what they say."""
    why: str = ""
    """Which reader answered and why it was this one, where there was a choice."""
    order: tuple[Before, ...] = ()
    """What of the goals has to be done before what, by one robot or by two."""

    leeway: Mapping[str, str] = field(default_factory=dict)
    """What of the goals, as PDDL, the words leave to whoever is best placed."""
    meant: Grounding | None = None
    """The one reading that a question shows: the answer for who says yes to that."""

    @property
    def failed(self) -> bool:
        """Whether this is no answer to the instruction, but the failure of what was to read it."""
        return self.status == "failed"

    @property
    def spent(self) -> Mapping[str, float]:
        """Tokens by kind and what they cost; empty without a model, without cost where no price is set."""
        return {**self.tokens, **({"cost": round(self.cost, 6)} if self.cost else {})}

    def explained(self) -> list[str]:
        """Return what each phrase was taken for, and what comes before what, a line each."""
        return [
            *(_explained(reason) for reason in self.reasons),
            *(f"in this order: {pair}" for pair in self.order),
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        values: dict[str, Any] = {
            "status": self.status,
            "goals": None if self.goals is None else dict(self.goals),
            "message": self.message,
            "order": [pair.as_json() for pair in self.order],
            "reasons": [dict(r) for r in self.reasons],
            "candidates": list(self.candidates),
            "backend": self.backend,
        }
        more: dict[str, Any] = {"why": self.why} if self.why else {}
        if self.leeway:
            more["leeway"] = dict(self.leeway)
        if self.confidence is not None:
            more["confidence"] = round(self.confidence, 3)
        if self.cost:
            more["cost"] = self.spent["cost"]
        if self.meant is not None:
            more["meant"] = self.meant.as_json()
        return {**values, **more, **({"tokens": dict(self.tokens)} if self.tokens else {})}


def answer(goals: Goals, notes: Sequence[str] = (), **more: Any) -> Grounding:
    """Return the answer that carries goals."""
    message = "; ".join(notes)
    reasons = tuple(reason.as_json() for reason in goals.reasons)
    more = {"order": goals.order, "leeway": _texts(goals.leeway), **more}
    return Grounding("ok", goal_texts(goals), message, reasons, **more)


def clarification(unclear: Unclear, notes: Sequence[str] = (), **more: Any) -> Grounding:
    """Return the answer that asks back."""
    message = " ".join([str(unclear), *(f"({note})" for note in notes)])
    return Grounding(
        "clarify", None, message, candidates=unclear.candidates, ruled_out=unclear.ruled_out, **more
    )


def failure(cause: str, **more: Any) -> Grounding:
    """Return the answer of a reader that failed."""
    return Grounding("failed", None, cause, understood=False, **more)


def goal_texts(goals: Goals) -> dict[str, str]:
    """Return each goal as PDDL on one line."""
    return _texts(goals.by_robot)


def _texts(by_robot: Mapping[str, Formula]) -> dict[str, str]:
    from commonground.planning.pddl import to_pddl

    return {name: " ".join(to_pddl(goal).split()) for name, goal in by_robot.items()}


def _explained(reason: Mapping[str, Any]) -> str:
    """Return what a phrase was taken for: ``the box by the bicycle: O194 (16.9 m; next O279, 60.4 m)``."""
    chosen = ", ".join(reason["chosen"][:8]) + (" …" if len(reason["chosen"]) > 8 else "")
    text = f"{reason['phrase']}: {chosen}"
    measured = [c for c in reason.get("candidates", ()) if "meters" in c]
    if measured:
        taken = [k for k, c in enumerate(measured) if c["symbol"] in reason["chosen"]]
        near = ", ".join(f"{measured[k]['meters']:.1f} m" for k in taken[:4])
        behind = taken[-1] + 1 if taken else len(measured)
        rest = [f"{c['symbol']} {c['meters']:.1f} m" for c in measured[behind : behind + 1]]
        text += f" ({'; next '.join([near, *rest])})"
    return text + (f"; {reason['note']}" if reason.get("note") else "")
