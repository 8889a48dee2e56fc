"""Answers of models by the content of their question: in memory, and in a folder if one is given."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from pathlib import Path
from typing import Any

from commonground.atomic import replacing, write_error
from commonground.errors import MALFORMED
from commonground.names import within
from commonground.reading import BoundError, read_json

logger = logging.getLogger(__name__)

SCHEMA = 2


def content_key(question: Any) -> str:
    """Return the key of a question: a digest of everything that can change the answer."""
    text = json.dumps([SCHEMA, question], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


class AnswerCache:
    """Keeps answers that passed their check; safe to use from several threads.

    The folder is for its owner only: answers tell what was asked.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = None if folder is None else Path(folder)
        self._kept: dict[str, str] = {}
        self._lock = threading.Lock()

    def get(self, key: str) -> str | None:
        """Return the answer kept under a key; a damaged file counts as none."""
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        if self.folder is None:
            return None
        try:
            entry = read_json(within(self.folder, f"{key}.json"))
            answer = entry["answer"] if entry["key"] == key else None
        except FileNotFoundError:
            return None
        except (OSError, BoundError, *MALFORMED) as error:
            logger.warning("%s/%s.json: ignored, damaged: %s", self.folder, key, error)
            return None
        return answer if isinstance(answer, str) else None

    def put(self, key: str, answer: str) -> None:
        """Keep an answer."""
        with self._lock:
            self._kept[key] = answer
        if self.folder is not None:
            self._make_private(self.folder)
            target = within(self.folder, f"{key}.json")
            with replacing(target) as file:
                file.write_text(json.dumps({"key": key, "answer": answer}), "utf-8")
            target.chmod(0o600)

    def _make_private(self, folder: Path) -> None:
        """Make the folder, or close it to others; one that belongs to somebody else is not used."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        except OSError as error:
            raise write_error(folder, error) from error
