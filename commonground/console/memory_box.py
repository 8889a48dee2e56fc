"""The memory at the console: told, asked and undone in plain words, with where answers come from."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from commonground.errors import CommongroundError, GroundingError

if TYPE_CHECKING:
    from commonground.grounding.memory import Memory

Opener = Callable[[bool], AbstractContextManager["Memory"]]
"""Opens the memory, to read only or to write."""


class MemoryBox:
    """A memory in a file, opened for each word, so that others may use it as well."""

    def __init__(self, opener: Opener | None) -> None:
        self._opener = opener
        self._lock = threading.Lock()

    @property
    def there(self) -> bool:
        return self._opener is not None

    def tell(self, text: str) -> list[str]:
        """Take in a report; return what changed, or the question back."""
        with self._opened(False) as memory:
            answer = memory.tell(text)
        if answer.status != "ok" and answer.question:
            return [answer.question]
        found = [f"+ {' '.join(f)}" for f in answer.added]
        found += [f"− {' '.join(f)}" for f in answer.removed]
        return found or ["known already" if answer.asserted else "nothing to remember"]

    def ask(self, question: str) -> list[str]:
        """Return the answer, and a line for each source of it."""
        from commonground.grounding.memory import ask

        with self._opened(True) as memory:
            answer = ask(memory, question)
        lines = [answer.text]
        for known in answer.known:
            row = known.as_json()
            words = f", “{row['words']}”" if row["words"] else ""
            source = f"{row['source']} {row['name']}".strip()
            lines.append(
                f"  {source}{words}, {known.age_s / 60:.0f} min ago, {known.confidence:.0%} sure"
            )
        return lines

    def undo(self) -> list[str]:
        """Take the newest change back."""
        with self._opened(False) as memory:
            change = memory.newest_change()
            outcome = memory.store.undo(change)
        found = [f"change {change} is undone"]
        found += [f"+ {' '.join(f)}" for f in outcome.added]
        found += [f"− {' '.join(f)}" for f in outcome.removed]
        return found + [f"replaced since, so it stays: {' '.join(f)}" for f in outcome.kept]

    def facts(self, words: str) -> list[str]:
        """Return what is believed of a thing, newest first; nothing where the memory does not know it."""
        from commonground.grounding.memory import history_rows, thing_named

        if self._opener is None:
            return []
        try:
            with self._opened(True) as memory:
                rows = history_rows(memory, thing_named(memory, words))
        except CommongroundError:
            return []
        return [" ".join(str(v) for v in row.values() if v) for row in rows[::-1]]

    def _opened(self, read_only: bool) -> AbstractContextManager[Memory]:
        if self._opener is None:
            raise GroundingError("there is no memory; name its file by --memory")
        return self._opener(read_only)
