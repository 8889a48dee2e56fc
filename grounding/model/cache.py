"""Answers of models by the content of their question: in memory, and in a folder if one is given."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from pathlib import Path
from typing import Any

from commonground.atomic import write_text

logger = logging.getLogger(__name__)

SCHEMA = 1


def content_key(question: Any) -> str:
    """Return the key of a question: a digest of everything that can change the answer."""
    text = json.dumps([SCHEMA, question], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class AnswerCache:
    """Keeps answers that passed their check; safe to use from several threads."""

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
            entry = json.loads((self.folder / f"{key}.json").read_text("utf-8"))
            answer = entry["answer"] if entry["key"] == key else None
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.warning("%s/%s.json: ignored, damaged: %s", self.folder, key, error)
            return None
        return answer if isinstance(answer, str) else None

    def put(self, key: str, answer: str) -> None:
        """Keep an answer."""
        with self._lock:
            self._kept[key] = answer
        if self.folder is not None:
            write_text(self.folder / f"{key}.json", json.dumps({"key": key, "answer": answer}))
