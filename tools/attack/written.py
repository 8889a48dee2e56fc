"""What commands wrote, less the times, so that two runs of them can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

PASSED = ("time_s",)
"""Of a plan's file, how long finding it took; the times within plans count."""
KEPT_APART = ("metrics.json", "manifest.json", ".lock")
"""Files that tell when and where a command ran, and how long it took."""


def written(place: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file that counts, less the times."""
    for file in sorted(place.rglob("*")):
        if not file.is_file() or file.name in KEPT_APART:
            continue
        content = file.read_bytes()
        if file.parent == place and file.suffix == ".json" and b'"time_s"' in content:
            values = json.loads(content)
            content = json.dumps({k: v for k, v in values.items() if k not in PASSED}).encode()
        yield str(file.relative_to(place)), content
