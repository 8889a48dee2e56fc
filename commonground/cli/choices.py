"""Options that take one of a few words, and the settings they change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonground.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from commonground.cli.job import Job
    from commonground.grounding.memory import MemorySettings
    from commonground.grounding.model.client import ChatModel
    from commonground.grounding.settings import GroundingSettings


def require(option: str, word: str, known: Sequence[str], what: str = "choice") -> str:
    """Return the word given for an option; ConfigError with the known ones if it is none of them."""
    if word not in known:
        hint = did_you_mean(word, known) or f" Known: {', '.join(known)}."
        raise ConfigError(f"{option} {word}: there is no such {what}.{hint}")
    return word


def names_of(option: str, words: Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names that are listed for an option, by commas or one after another; all where none is."""
    named = [word.strip() for text in words or () for word in text.split(",") if word.strip()]
    return tuple(dict.fromkeys(require(option, word, known) for word in named)) or tuple(known)


def grounding_settings(job: Job, backend: str | None) -> GroundingSettings:
    """Return the grounding settings with the front end of the command line, if it names one."""
    settings = job.config.grounding
    if backend is None:
        return settings
    known = ("auto", "offline", "openai")
    return settings.model_copy(
        update={"backend": require("--backend", backend, known, "front end")}
    )


def memory_settings(job: Job, backend: str | None) -> tuple[MemorySettings, ChatModel | None]:
    """Return the memory's settings with the front end of the command line, and the model it needs."""
    from commonground.grounding.memory import MemorySettings

    settings = job.section("memory", MemorySettings)
    if backend is not None:
        known = ("offline", "openai", "auto")
        chosen = require("--backend", backend, known, "front end")
        settings = settings.model_copy(update={"backend": chosen})
    if settings.backend == "offline":
        return settings, None
    from commonground.grounding.model import ChatModel

    return settings, ChatModel(job.config.grounding.model)
