"""Episodes: reports, sensor readings and tasks in order, as evaluation suites list them."""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import load_world, read_lines, read_text, triple
from commonground.grounding.knowledge.records import Source
from commonground.grounding.knowledge.settings import KnowledgeSettings
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.beliefs.sensing import Observation, Sighting, observe
from commonground.grounding.memory.english.timing import DAY_NS, MINUTE_NS, minutes
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.meanings import Meanings
from commonground.grounding.memory.planning.planner import Planner
from commonground.grounding.memory.planning.tasks import Planned, TaskAnswerer
from commonground.grounding.memory.retrieval.variants import DEFAULT, Variant
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.model.client import ChatModel
from commonground.names import below
from commonground.planning.pddl import to_pddl
from commonground.reasons import reason

Line = TypeVar("Line", bound=BaseModel)


class SensorReading(BaseModel):
    """One triple of a sensor."""

    model_config = ConfigDict(extra="forbid")
    subject: str
    relation: str
    object: str | bool
    confidence: float = 1.0


_CLOCK = re.compile(r"([01]?\d|2[0-3])(:[0-5]?\d)?")


def _time_of_day(text: str) -> str:
    if _CLOCK.fullmatch(text) is None:
        raise ValueError(f"{text!r:.20} is no time of day; write it as 14:30")
    return text


Clock = Annotated[str, AfterValidator(_time_of_day)]
"""A time of day, HH:MM."""


def _moment(text: str) -> str:
    if _CLOCK.fullmatch(text) is None and _dated(text) is None:
        raise ValueError(f"{text!r:.20} is no time; write it as 14:30 or 2027-05-31T14:30")
    return text


def _dated(text: str) -> datetime | None:
    """Return a time with its date, in the clock of the house; None for what is none."""
    with suppress(ValueError):
        return datetime.fromisoformat(text).replace(tzinfo=None)
    return None


Moment = Annotated[str, AfterValidator(_moment)]
"""A time of the first day, HH:MM, or one with its date."""


class Item(BaseModel):
    """One line of an episode; what is truth for the checker is not read."""

    model_config = ConfigDict(extra="ignore")
    kind: Literal["update", "task"]
    id: str
    text: str = ""
    speaker: str | None = None
    time: Moment | None = None
    observed_at: Moment | None = None
    sensor: SensorReading | None = None


class Policy(BaseModel):
    """The house's own times and thresholds."""

    model_config = ConfigDict(extra="ignore")
    memory_time: Moment = "00:00"
    breakfast: Clock = "08:00"
    lunch: Clock = "12:30"
    sensor_commit_from: float = 0.8
    sensor_ignore_below: float = 0.5


class Episode:
    """A world and what happens in it."""

    def __init__(self, path: Path, domain: Path | None = None) -> None:
        lines = list(read_lines(path))
        if not lines or not isinstance(lines[0][1], dict):
            raise GroundingError(f"{path}: an episode begins with a header line")
        header: dict[str, Any] = lines[0][1]
        if header.get("kind") in ("update", "task"):
            raise GroundingError(
                f"{path}:{lines[0][0]}: is an item; the header line before it is lost"
            )
        self.path = path
        self.domain_path = domain or below(path.parent, str(header.get("domain", "domain.pddl")))
        self.domain = read_text(self.domain_path)
        self.vocabulary = Vocabulary.parse(self.domain, str(self.domain_path))
        self.policy = checked(Policy, header.get("policy", {}), f"{path}:{lines[0][0]}: policy")
        self.items = [checked(Item, value, f"{path}:{number}") for number, value in lines[1:]]
        again = [name for name, count in Counter(i.id for i in self.items).items() if count > 1]
        if again:
            raise GroundingError(
                f"{path}: several items are called {again[0]!r:.40}; each needs its own id"
            )
        self.world = load_world(path, self.vocabulary)
        self.timed = any(item.time is not None for item in self.items)
        self.first_day = min(self._days(), default=None)

    def _days(self) -> Iterator[date]:
        """Yield the days that are named."""
        told = (self.policy.memory_time, *(t for i in self.items for t in (i.time, i.observed_at)))
        for when in map(_dated, filter(None, told)):
            if when is not None:
                yield when.date()

    def at_ns(self, index: int, item: Item) -> int:
        """Return when an item is, from its time or, where there are none, from its place in the order."""
        if item.time is None:
            return self.begun_ns + (index + 1) * MINUTE_NS
        return self._ns(item.time)

    @property
    def begun_ns(self) -> int:
        """When what the header tells was so."""
        return self._ns(self.policy.memory_time)

    def _ns(self, moment: str) -> int:
        """Return a moment in nanoseconds; the first day named is the first there is."""
        when = _dated(moment)
        if when is None or self.first_day is None:
            return DAY_NS + minutes(moment) * MINUTE_NS
        days = (when.date() - self.first_day).days
        return (1 + days) * DAY_NS + (when.hour * 60 + when.minute) * MINUTE_NS

    def settings(self, base: MemorySettings, chosen: Variant = DEFAULT) -> MemorySettings:
        """Return settings with this house's times, for a variant."""
        meals = {"breakfast": self.policy.breakfast, "lunch": self.policy.lunch, **base.meals}
        return base.model_copy(
            update={
                "retrieval": chosen.way,
                "verify": chosen.verify,
                "meals": meals,
                "dated": self.timed,
                "utc_offset_h": 0,
            }
        )

    @contextmanager
    def memory(
        self,
        meanings_file: Path | None = None,
        settings: MemorySettings | None = None,
        model: ChatModel | None = None,
    ) -> Iterator[Memory]:
        """Yield a new memory of the episode's world; it is gone afterwards."""
        meanings = Meanings.load(self.vocabulary, meanings_file)
        knowledge = KnowledgeSettings(
            commit_from=self.policy.sensor_commit_from, ignore_below=self.policy.sensor_ignore_below
        )
        applied = settings or self.settings(MemorySettings())
        with tempfile.TemporaryDirectory(prefix="memory-") as folder:
            store = KnowledgeStore.create(
                Path(folder) / "memory.db",
                self.domain,
                self.world.things.values(),
                self.world.facts,
                at_ns=self.begun_ns,
                source=Source("file", self.path.name),
                settings=knowledge,
            )
            with store:
                yield Memory(store, meanings, applied, model)


def checked(kind: type[Line], value: Any, where: str) -> Line:
    """Return what a line of an episode holds; GroundingError says where it is not what it should be."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise GroundingError(f"{where}: {reason(error)}") from error


def replay_episode(
    episode: Episode,
    planner: Planner | None = None,
    chosen: Variant = DEFAULT,
    settings: MemorySettings | None = None,
    model: ChatModel | None = None,
    meanings: str | Path | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a prediction for every item, in the form the suites' checker reads; no planner, no plans."""
    meanings = None if meanings is None else Path(meanings)
    applied = episode.settings(settings or MemorySettings(), chosen)
    with episode.memory(meanings, settings=applied, model=model) as memory:
        tasks = TaskAnswerer(memory, planner, chosen.way, chosen.verify) if planner else None
        for index, item in enumerate(episode.items):
            yield {"id": item.id, **predicted(memory, episode, index, item, tasks, chosen)}


def predicted(
    memory: Memory,
    episode: Episode,
    index: int,
    item: Item,
    tasks: TaskAnswerer | None,
    chosen: Variant = DEFAULT,
) -> dict[str, Any]:
    """Return the prediction for one item, and how long it took."""
    begin = time.perf_counter()
    found = _predicted(memory, episode, index, item, tasks, updates=chosen.updates)
    return {**found, "seconds": round(time.perf_counter() - begin, 6)}


def _predicted(
    memory: Memory, episode: Episode, index: int, item: Item, tasks: TaskAnswerer | None, *, updates: bool
) -> dict[str, Any]:  # fmt: skip
    at = episode.at_ns(index, item)
    if item.kind == "task":
        planned = (
            _planned(memory, tasks.answer(item.text, item.speaker, at)) if tasks is not None else {}
        )
        memory.discourse.forget()
        return {"goal": None, "plan": None, **planned}
    if not updates:
        return {"add": [], "remove": [], "status": "none"}
    if item.sensor is not None:
        observed = episode.at_ns(index, item.model_copy(update={"time": item.observed_at}))
        return _sensed(memory, item.sensor, observed)
    return _reported(memory.tell(item.text, item.speaker, at))


def _planned(memory: Memory, planned: Planned) -> dict[str, Any]:
    plan, wanted = planned.plan, planned.wanted
    if plan is None or wanted.goal is None:
        return {"question": wanted.question, "tokens": wanted.tokens}
    solved, vocabulary = plan.status == "ok", memory.store.vocabulary
    return {
        "goal": to_pddl(vocabulary.bearers.own(wanted.goal)),
        "plan": [str(vocabulary.own_step(step)) for step in plan.steps] if solved else None,
        "objects": [attempt.objects for attempt in plan.attempts],
        "tokens": wanted.tokens,
    }


def _reported(taken: Told) -> dict[str, Any]:
    return {
        "add": list(map(list, taken.asserted)),
        "remove": list(map(list, taken.removed)),
        "status": taken.status,
        "question": taken.question,
        "tokens": taken.tokens,
    }


def _sensed(memory: Memory, reading: SensorReading, at_ns: int) -> dict[str, Any]:
    fact: Fact = triple(reading.subject, reading.relation, reading.object)
    observation = Observation((Sighting(fact, reading.confidence),), at_ns, "sensor")
    seen = observe(memory.store, memory.names, observation)
    memory.discourse.forget()
    return {
        "add": list(map(list, seen.accepted)),
        "remove": list(map(list, seen.removed)),
        "status": "ok" if seen.added or seen.removed else "none",
    }


def write_predictions(predictions: Iterator[dict[str, Any]], path: str | Path) -> int:
    """Write predictions as JSON lines; return how many."""
    from commonground.atomic import write_text

    lines = [json.dumps(p) for p in predictions]
    write_text(path, "".join(f"{line}\n" for line in lines))
    return len(lines)
