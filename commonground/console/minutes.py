"""The minutes of a station: what operators do, told to them, noted in the mission's folder, and heralded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from commonground.console.board import Board
from commonground.live.acts import note_down
from commonground.live.folders import was_begun
from commonground.live.heeding import quoted
from commonground.names import within


class Minutes:
    """Who did what, in each place where somebody looks for it."""

    def __init__(self, board: Board, missions: Path, now_s: Callable[[], float]) -> None:
        """``now_s`` tells the time of the mission; negative where none is under way."""
        self._board, self._missions, self._now_s = board, missions, now_s
        self.herald: Callable[[str], None] = lambda line: None
        """Told each in a line, for the program's own terminal."""

    def did(self, by: str, what: str, *, told: bool = False) -> None:
        """Tell operators, the mission's folder and the program's terminal what an operator does."""
        who, record = by or "somebody", self._board.known()
        if not told:
            self._board.tell(f"{who} {what}", time_s=self._now_s())
        self._herald(f"mission {record.number}: {who} {what}")
        folder = within(self._missions, record.name or "-")
        if was_begun(folder):
            note_down(folder, who, what)

    def refused(self, text: str, by: str, why: str) -> None:
        """Tell and note what an operator said in vain."""
        with self._board.lock:
            record, what = self._board.record, f"says {quoted(text)}, which is refused: {why}"
            if record is not None and not record.over:
                return self.did(by, what)
            self._board.tell(f"{by or 'somebody'} {what}")
            self._herald(f"{by or 'somebody'} {what}")

    def _herald(self, line: str) -> None:
        with contextlib.suppress(OSError, SystemExit):  # nobody reads the terminal any more
            self.herald(line)
