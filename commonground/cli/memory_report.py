"""What the memory commands do with the library, and what they print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.markup import escape

from commonground.cli.job import Job
from commonground.errors import ConfigError, GroundingError, HonestNo, did_you_mean

if TYPE_CHECKING:
    from commonground.grounding.knowledge import Fact
    from commonground.grounding.memory.memory import Memory
    from commonground.grounding.memory.settings import MemorySettings
    from commonground.grounding.model.client import ChatModel

BACKENDS = ("offline", "openai", "auto")


def settings_of(job: Job, backend: str | None) -> tuple[MemorySettings, ChatModel | None]:
    """Return the memory's settings with the backend of the command line, and the model it needs."""
    from commonground.grounding.model.client import ChatModel

    settings = job.config.memory
    if backend is not None:
        if backend not in BACKENDS:
            hint = did_you_mean(backend, BACKENDS) or f" Known: {', '.join(BACKENDS)}."
            raise ConfigError(f"--backend {backend}: there is no such front end.{hint}")
        settings = settings.model_copy(update={"backend": backend})
    model = ChatModel(job.config.grounding.model) if settings.backend != "offline" else None
    return settings, model


@contextmanager
def opened(
    job: Job, file: Path, backend: str | None = None, *, read_only: bool = False
) -> Iterator[Memory]:
    """Yield the memory in a file, with this job's settings."""
    from commonground.grounding.memory.opening import open_memory

    settings, model = settings_of(job, backend)
    with open_memory(file, settings, job.config.knowledge, model, read_only=read_only) as memory:
        yield memory


def init(
    job: Job, file: Path, domain: Path, facts: Path, meanings: Path | None, at: str | None
) -> None:
    """Make a memory and say what is in it."""
    from commonground.grounding.memory.clock import parse_time
    from commonground.grounding.memory.opening import create_memory

    when = None if at is None else parse_time(at)
    with create_memory(file, domain, facts, meanings, at_ns=when) as store:
        groups = store.groups.all
        job.result({"memory": file, "things": len(store.things), "facts": len(store.facts)})
        job.say(f"{file}: {len(store.things)} things, {len(store.facts)} facts")
        job.say(f"[dim]{len(groups)} groups of facts of which only one holds at a time[/dim]")


def tell(
    job: Job, file: Path, text: str, speaker: str | None, at: str | None, backend: str | None
) -> None:
    """Take in a report."""
    from commonground.grounding.memory.clock import parse_time

    with opened(job, file, backend) as memory:
        who = None if speaker is None else person(memory, speaker)
        told = memory.tell(text, who, None if at is None else parse_time(at))
    job.result(
        {"status": told.status, "added": told.added, "removed": told.removed,
         "asserted": told.asserted, "question": told.question, "change": told.tx,
         "tokens": told.tokens}
    )  # fmt: skip
    if told.status == "ask":
        _ask_back(job, told.question)
    for sign, color, facts in (("-", "red", told.removed), ("+", "green", told.added)):
        for fact in facts:
            job.say(f"[{color}]{sign} {escape(' '.join(fact))}[/{color}]")
    if not (told.added or told.removed):
        known = "known already" if told.asserted else "nothing to remember"
        job.say(f"[dim]{escape(told.question or known)}[/dim]")


def observe(job: Job, file: Path, sightings: Path, sensor: str, at: str | None) -> None:
    """Take in what a sensor saw."""
    from commonground.grounding.memory import sensing
    from commonground.grounding.memory.clock import parse_time
    from commonground.grounding.memory.sightings import read_observation

    with opened(job, file) as memory:
        seen = read_observation(sightings, memory, sensor, None if at is None else parse_time(at))
        found = sensing.observe(memory.store, memory.names, seen)
    job.result({name: getattr(found, name) for name in found.__slots__})
    for title, facts in (("+", found.added), ("-", found.removed), ("not seen", found.missed)):
        for fact in facts:
            job.say(f"{title} {escape(' '.join(fact))}")
    for why in found.refused:
        job.say(f"[yellow]refused: {escape(why)}[/yellow]")


def ask(job: Job, file: Path, question: str, speaker: str | None) -> None:
    """Answer a question."""
    from commonground.grounding.memory.asking import ask as answer_to

    with opened(job, file, read_only=True) as memory:
        who = None if speaker is None else person(memory, speaker)
        answer = answer_to(memory, question, who)
    known = [k.as_json() for k in answer.known]
    job.result({"status": answer.status, "text": answer.text, "known": known})
    if answer.status != "ok":
        _ask_back(job, answer.text)
    job.say(escape(answer.text))
    for k, row in zip(answer.known, known, strict=True):
        words = f", '{row['words']}'" if row["words"] else ""
        source = escape(f"{row['source']} {row['name']}".strip() + words)
        job.say(f"  [dim]{source}, {ago(k.age_s)} ago, {k.confidence:.0%} sure[/dim]")


def plan(
    job: Job, file: Path, text: str, speaker: str | None, backend: str | None, variant: str,
    carry_out: bool,
) -> None:  # fmt: skip
    """Plan a task, and enter its steps where that is asked for."""
    from commonground.grounding.memory import execution, planning, tasks, variants
    from commonground.planning.downward import FastDownward
    from commonground.planning.pddl import to_pddl

    chosen = variants.variant(variant)
    with opened(job, file, backend, read_only=not carry_out) as memory:
        who = None if speaker is None else person(memory, speaker)
        planner = FastDownward()
        found = tasks.TaskAnswerer(memory, planner, chosen.way, chosen.verify).answer(text, who)
        made = found.plan
        if made is not None and made.status == "ok" and carry_out:
            robots = memory.names.robots
            execution.carry_out(
                planning.TaskPlanner(memory.store, planner), made, robots[0] if robots else "robot"
            )
    goal = None if found.wanted.goal is None else to_pddl(found.wanted.goal)
    steps = [str(step) for step in made.steps] if made is not None else []
    status = "ask" if made is None else {"ok": "solved", "none": "no plan"}.get(made.status, "ask")
    reason = found.wanted.question if made is None else made.reason
    doubtful = list(made.doubtful) if made is not None else []
    job.result({"status": status, "goal": goal, "plan": steps, "reason": reason,
                "doubtful": doubtful, "seconds": round(found.seconds, 3)})  # fmt: skip
    if status != "solved":
        _ask_back(job, reason)
    for step in steps or ["already so"]:
        job.say(escape(step))
    for fact in doubtful:
        job.say(f"[yellow]look first, this has faded: {escape(' '.join(fact))}[/yellow]")


def history(job: Job, file: Path, thing: str) -> None:
    """Print all beliefs about a thing."""
    from commonground.grounding.memory.clock import shown

    with opened(job, file, read_only=True) as memory:
        key = named(memory, thing)
        rows = []
        for record in memory.store.history(key):
            change = memory.store.change_record(record.tx)
            source = f"{change.source.kind} {change.source.name}".strip() if change else ""
            until = "" if record.ended_ns is None else shown(record.ended_ns)
            believed = "yes" if record.tx_end is None else f"until change {record.tx_end}"
            rows.append([" ".join(record.fact), shown(record.valid_ns), until, believed, record.tx,
                         source, change.source.words if change else ""])  # fmt: skip
    columns = ["fact", "from", "until", "believed", "change", "source", "words"]
    job.result({"thing": key, "rows": [dict(zip(columns, row, strict=True)) for row in rows]})
    job.table(f"{key}", columns, rows)


def undo(job: Job, file: Path, change: int | None) -> None:
    """Take back a change."""
    with opened(job, file) as memory:
        tx = change if change is not None else memory.newest_change()
        outcome = memory.store.undo(tx)
    job.result(
        {"undone": tx, "added": outcome.added, "removed": outcome.removed, "kept": outcome.kept}
    )
    job.say(f"change {tx} is undone")
    _facts(job, "+", outcome.added)
    _facts(job, "-", outcome.removed)
    _facts(job, "replaced since, so it stays:", outcome.kept)


def as_of(job: Job, file: Path, time: str, thing: str | None, believed: int | None) -> None:
    """Print the facts of a time."""
    from commonground.grounding.memory.clock import parse_time, shown

    with opened(job, file, read_only=True) as memory:
        at = parse_time(time)
        key = None if thing is None else named(memory, thing)
        facts = sorted(memory.store.as_of(at, believed))
    facts = [f for f in facts if key is None or key in (f.subject, f.object)]
    job.result({"at": shown(at), "facts": facts})
    _facts(job, "", facts)


def replay(
    job: Job, episode: Path, out: Path, variant: str, domain: Path | None, backend: str | None,
    plans: bool,
) -> None:  # fmt: skip
    """Live through an episode."""
    from commonground.grounding.memory import replay as library
    from commonground.grounding.memory.variants import variant as chosen
    from commonground.planning.downward import FastDownward

    settings, model = settings_of(job, backend)
    found = library.Episode(episode, domain)
    way = chosen(variant)
    planner = FastDownward() if plans else None
    predictions = library.replay(found, planner, way, settings, model)
    count = library.write_predictions(job.track(predictions, "living", len(found.items)), out)
    job.result({"written": out, "items": count, "variant": variant})
    job.say(f"wrote {out}: {count} items ({variant})")


# ---- helpers ------------------------------------------------------------------------------------


def person(memory: Memory, name: str) -> str:
    """Return the person a name means."""
    people = [key for key in memory.names.things if memory.names.is_person(key)]
    return _one(memory, name, people, "person")


def named(memory: Memory, name: str) -> str:
    """Return the thing an id or name means."""
    return _one(memory, name, list(memory.names.things), "thing")


def _one(memory: Memory, name: str, keys: Sequence[str], what: str) -> str:
    if name in keys:
        return name
    spoken = {memory.names.things[key].name.lower(): key for key in keys}
    if name.lower() in spoken:
        return spoken[name.lower()]
    hint = did_you_mean(name.lower(), [*spoken, *keys])
    raise GroundingError(f"there is no {what} '{name}' in this memory.{hint}")


def _ask_back(job: Job, question: str) -> None:
    if job.json:
        raise typer.Exit(HonestNo.exit_code)
    raise HonestNo(question or "what is meant?")


def _facts(job: Job, sign: str, facts: Iterable[Fact]) -> None:
    for fact in facts:
        job.say(escape(f"{sign} {' '.join(fact)}".strip()))


def ago(seconds: float) -> str:
    """Return an age as people say it."""
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def rows_of(values: Iterable[dict[str, Any]], columns: Sequence[str]) -> list[list[Any]]:
    """Return rows as cells."""
    return [[row.get(column, "–") for column in columns] for row in values]
