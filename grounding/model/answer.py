"""What comes back from a language model: a checked value, or why there is none, and what it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from commonground.grounding.settings import ModelSettings

T = TypeVar("T")


class AskStatus(StrEnum):
    """How a question to a model ended."""

    OK = "ok"
    """There is a value and it passed the check."""
    INVALID = "invalid"
    """Every answer failed the check."""
    REFUSED = "refused"
    """The model declined to answer."""
    TIMEOUT = "timeout"
    """The time for the question was used up."""
    UNAVAILABLE = "unavailable"
    """No server there, or it fails, limits the rate or rejects the question."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and requests; estimated where a server does not tell."""

    prompt: int = 0
    completion: int = 0
    requests: int = 0
    cached: int = 0
    """Answers that came from the cache."""
    estimated: bool = False
    seconds: float = 0.0
    """Time spent waiting for the model."""
    received: int = 0
    """Bytes that came from the server, heads and failures included."""

    def __add__(self, other: Usage) -> Usage:
        return self._with(other, 1)

    def __sub__(self, other: Usage) -> Usage:
        """Return what came since."""
        return self._with(other, -1)

    def _with(self, other: Usage, sign: int) -> Usage:
        counts = (f.name for f in fields(self) if f.name != "estimated")
        found = {name: getattr(self, name) + sign * getattr(other, name) for name in counts}
        return Usage(**found, estimated=self.estimated or (sign > 0 and other.estimated))

    def cost(self, settings: ModelSettings) -> float:
        """Return what the tokens cost at the prices of the settings."""
        return (self.prompt * settings.prompt_price + self.completion * settings.answer_price) / 1e6

    def as_json(self) -> dict[str, int]:
        """Return the counts as JSON values; ``estimated`` is there where no server counted some of them."""
        return {
            "prompt": self.prompt,
            "completion": self.completion,
            "requests": self.requests,
            "cached": self.cached,
            **({"estimated": 1} if self.estimated else {}),
        }


def shown_spent(spent: Mapping[str, float]) -> str:
    """Return counts of tokens, and what they cost, in words; what no server counted is told as a guess."""
    rounded = {kind: f"{n:,}" for kind, n in spent.items() if kind != "estimated"}
    about = ("prompt", "completion", "cost") if spent.get("estimated") else ()
    told = ", ".join(f"{'about ' * (kind in about)}{n} {kind}" for kind, n in rounded.items())
    return f"{told} (estimated: the server counts no tokens)" if about else told


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The result of a question; ``value`` is there if and only if the status is OK."""

    status: AskStatus
    value: T | None = None
    message: str = ""
    """What went wrong, in one line."""
    usage: Usage = field(default_factory=Usage)
    attempts: int = 0
