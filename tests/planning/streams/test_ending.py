"""Code that a user gives may end the program, but never in silence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commonground.planning import solve_stream_problem
from commonground.planning.streams.instances import StreamError

GUIDE = Path(__file__).resolve().parents[3] / "docs/guides/streams.md"
_TITLED = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.M | re.S)


@pytest.mark.parametrize("end", ["os._exit(0)", "sys.exit(0)", "raise SystemExit"])
def test_a_stream_that_ends_the_program_is_told(tmp_path: Path, end: str) -> None:
    for title, body in _TITLED.findall(GUIDE.read_text(encoding="utf-8")):
        (tmp_path / title).write_text(body, encoding="utf-8")
    (tmp_path / "ending.py").write_text(
        (tmp_path / "shelf.py")
        .read_text(encoding="utf-8")
        .replace(
            "        while True:\n", f"        import os, sys\n        {end}\n        while True:\n"
        )
    )
    with pytest.raises(StreamError, match="sample-spot"):
        solve_stream_problem(
            tmp_path / "domain.pddl", None, tmp_path / "stream.pddl", str(tmp_path / "ending.py")
        )
