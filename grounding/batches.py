"""Many instructions answered at the same time, with what each took, written as they come."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from commonground.atomic import write_error, write_text
from commonground.grounding.grounder import Grounder
from commonground.grounding.suites import Answered, Item

T = TypeVar("T")
R = TypeVar("R")


def answer_suite(grounder: Grounder, suite: Iterable[Item]) -> Iterator[Answered]:
    """Yield the answer to each instruction as it comes; in order where no model is asked."""

    def answered(item: Item) -> Answered:
        began = time.perf_counter()
        answer = grounder.ground(item.text)
        return Answered(item, answer, time.perf_counter() - began)

    settings = grounder.settings
    workers = 1 if settings.backend == "offline" else settings.model.parallel
    return as_they_come(answered, suite, workers)


def as_they_come(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """Yield what becomes of items, so many at the same time; the first error ends it.

    The threads end with the program: whoever leaves does not wait for a server.
    """
    if workers == 1:
        yield from map(work, items)
        return
    waiting: queue.SimpleQueue[T] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[R | None, BaseException | None]] = queue.SimpleQueue()
    left = threading.Event()
    count = 0
    for item in items:
        waiting.put(item)
        count += 1

    def worker() -> None:
        while not left.is_set():
            try:
                item = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((work(item), None))
            except BaseException as error:  # noqa: BLE001 -- raised again where the results are taken
                done.put((None, error))

    for _ in range(min(workers, count)):
        threading.Thread(target=worker, name="batch", daemon=True).start()
    try:
        for _ in range(count):
            result, error = done.get()
            if error is not None:
                raise error
            yield result  # type: ignore[misc]
    finally:
        left.set()


def in_order(suite: Iterable[Item], answers: Iterable[Answered]) -> list[Answered]:
    place = {item.id: number for number, item in enumerate(suite)}
    return sorted(answers, key=lambda answered: place[answered.item.id])


def unfinished(path: str | Path) -> Path:
    """Return where predictions are while more of them come."""
    file = Path(path)
    return file.with_name(f"{file.name}.part")


def written(path: str | Path, answers: Iterable[Answered]) -> Iterator[Answered]:
    """Pass answers on, and write each at once: what was paid for stays if the rest is never answered."""
    part = unfinished(path)
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8") as file:
            for answered in answers:
                file.write(json.dumps(answered.as_json()) + "\n")
                file.flush()
                yield answered
    except OSError as error:
        raise write_error(part, error) from error


def write_predictions(path: str | Path, answers: Iterable[Answered]) -> None:
    """Write predictions as JSON lines, in place of those that were written as they came."""
    write_text(path, "".join(json.dumps(a.as_json()) + "\n" for a in answers))
    unfinished(path).unlink(missing_ok=True)


def total_spent(answers: Sequence[Answered]) -> Mapping[str, float]:
    """Return what models took for all answers together: tokens, requests and cost; empty without one."""
    total: dict[str, float] = {}
    for answered in answers:
        for kind, number in answered.answer.spent.items():
            total[kind] = total.get(kind, 0) + number
    return total
