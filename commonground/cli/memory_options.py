"""What the commands of ``memory`` share: options, the open file, facts as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.choices import memory_settings
from commonground.cli.job import Job
from commonground.errors import GroundingError, HonestNo

if TYPE_CHECKING:
    from commonground.grounding.knowledge import Fact
    from commonground.grounding.memory.memory import Memory

FileOption = Annotated[Path, typer.Option("--memory", help="File of the memory.")]
AtOption = Annotated[
    str | None,
    typer.Option("--at", help="When: 2026-11-20T14:30, or 14:30 today; now if not given."),
]
MeaningsOption = Annotated[
    Path | None, typer.Option("--meanings", help="What the predicates mean in English.")
]
SpeakerOption = Annotated[
    str | None, typer.Option("--speaker", help="Who speaks: the person that 'I' means.")
]
BackendOption = Annotated[
    str | None, typer.Option("--backend", help="Front end: offline, openai or auto.")
]
DEFAULT = Path("memory.db")


@contextmanager
def opened(
    job: Job, file: Path, backend: str | None = None, *, read_only: bool = False
) -> Iterator[Memory]:
    """Yield the memory in a file, with this job's settings."""
    from commonground.grounding.knowledge import KnowledgeSettings
    from commonground.grounding.memory import open_memory

    settings, model = memory_settings(job, backend)
    knowledge = job.section("knowledge", KnowledgeSettings)
    with open_memory(file, settings, knowledge, model, read_only=read_only) as memory:
        yield memory


def stop_if_failed(status: str, cause: str) -> None:
    """Leave with exit code 1 where a language model or the planner was asked and failed."""
    if status == "failed":
        raise GroundingError(cause)


def ask_back(job: Job, question: str) -> None:
    """Leave with exit code 3 and a question; with --json it is in the object printed before."""
    if job.json:
        raise typer.Exit(HonestNo.exit_code)
    raise HonestNo(question or "what is meant?")


def print_facts(job: Job, sign: str, facts: Iterable[Fact], style: str | None = None) -> None:
    """Print facts, one a line, after a sign."""
    job.lines((f"{sign} {' '.join(fact)}".strip() for fact in facts), style=style)
