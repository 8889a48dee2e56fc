"""``commonground memory tell``: what people report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.memory_options import (
    DEFAULT,
    AtOption,
    BackendOption,
    FileOption,
    SpeakerOption,
    ask_back,
    opened,
    print_facts,
    stop_if_failed,
)
from commonground.errors import ConfigError, GroundingError
from commonground.reading import read_text

if TYPE_CHECKING:
    from commonground.grounding.memory.interpretation.outcome import Told

app = typer.Typer()


@command(app, "tell")
def tell(
    job: Job,
    text: Annotated[str | None, typer.Argument(help="The report.")] = None,
    path: FileOption = DEFAULT,
    reports: Annotated[
        Path | None, typer.Option("--reports", help="File with a report a line, told in turn.")
    ] = None,
    speaker: SpeakerOption = None,
    at: AtOption = None,
    backend: BackendOption = None,
) -> None:
    """Take in what somebody says; a question back leaves with exit code 3."""
    from commonground.grounding.memory import how_to_answer, observed_time, person_named

    texts = _reports(text, reports)
    when = None if at is None else observed_time(at)
    answers = []
    with opened(job, path, backend) as memory:
        who = None if speaker is None else person_named(memory, speaker)
        for one in texts:
            answers.append(memory.tell(one, who, when))
            if answers[-1].status == "failed":
                break  # what was told before stays told, and is in the answer
            if reports is not None:
                job.say(f"“{one}”")
                _print_told(job, answers[-1])
    last = answers[-1]
    if reports is None:
        stop_if_failed(last.status, last.question)
        job.result(_told(answers[0]))
        if answers[0].status == "ask":
            ask_back(job, f"{answers[0].question} ({how_to_answer(answers[0])})")
        _print_told(job, answers[0])
        return
    told = {
        "reports": [{"report": one, **_told(got)} for one, got in zip(texts, answers, strict=False)]
    }
    if last.status == "failed":
        cause = f"report {len(answers)} of {len(texts)}: {last.question}"
        job.refuse("error", cause, told, GroundingError)
    job.result(told)
    asked = sum(answer.status != "ok" for answer in answers)
    if asked:
        ask_back(
            job, f"{asked} of {len(answers)} reports were not taken in: what they need is above"
        )


def _reports(text: str | None, file: Path | None) -> list[str]:
    """Return the reports that a command names: one, or the lines of a file but for empty ones."""
    if (text is None) == (file is None):
        raise ConfigError("name a report, or a file of reports with --reports")
    if file is None:
        return [text or ""]
    texts = [line.strip() for line in read_text(file).splitlines() if line.strip()]
    if not texts:
        raise ConfigError(f"{file}: there is no report in it")
    return texts


def _told(answer: Told) -> dict[str, Any]:
    """Return the JSON values of what became of a report."""
    from commonground.grounding.memory import how_to_answer

    why: dict[str, Any] = {"why": answer.why} if answer.why else {}
    if answer.estimated:
        why["estimated"] = True
    if answer.status == "ask":
        why |= {"reply": how_to_answer(answer)}
    return {
        "status": answer.status, "added": answer.added, "removed": answer.removed,
        "asserted": answer.asserted, "question": answer.question, "change": answer.tx,
        "tokens": answer.tokens, **why,
    }  # fmt: skip


def _print_told(job: Job, answer: Told) -> None:
    """Print what a report changed, or what is to be said of it."""
    print_facts(job, "-", answer.removed, style="red")
    print_facts(job, "+", answer.added, style="green")
    if answer.question:
        job.note(answer.question)
    elif not (answer.added or answer.removed):
        job.note("known already" if answer.asserted else "nothing to remember")
