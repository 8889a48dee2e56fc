"""An operator at the console, without a page: says an instruction, approves the plan, waits for the end."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

SAYS, HEARD = "@says", "@heard"
"""Instead of a command: what an operator does, and what the missions of the console have come to."""
MISSIONS = Path("missions")
PACE = 40.0
"""Simulated seconds a second."""
LONG_S = 300.0


def operate(words: Sequence[str]) -> None:
    """Do what an operator does, in a folder with a map and a team; leaves with an exit code."""
    sys.exit(_heard() if words[0] == HEARD else _said(words[1]))


def _said(text: str) -> int:
    """Go on with the mission that was interrupted, or begin one; return 0 once it is done."""
    from commonground.console import make_station
    from commonground.console.logged import INTERRUPTED, outcome
    from commonground.grounding import GroundingSettings
    from commonground.planning.mission.journal import read_steps

    station = make_station(
        Path("scene.json"), Path("robots.yaml"), GroundingSettings(), MISSIONS, pace=PACE
    )
    begun = sorted(file.parent for file in MISSIONS.glob("*/events.jsonl"))
    if not begun:
        record = station.say(text)
    elif outcome(list(read_steps(begun[-1]))) != INTERRUPTED:
        return 0
    else:
        record = station.reopen(begun[-1])
    until = time.monotonic() + LONG_S
    approved = False
    while time.monotonic() < until:
        now = station.record
        if now is not None and now.state == "planned" and not approved:
            station.approve(record.number)
            approved = True
        if now is not None and now.state == "running" and now.question:
            station.answer(True)
        if now is not None and now.state in ("done", "failed"):
            sys.stdout.write(f"{now.state}: {[event.text for event in station.events][-5:]}\n")
            station.close()
            return int(now.state == "failed")
        time.sleep(0.01)
    sys.stdout.write(f"not done after {LONG_S:.0f} s: {station.record}\n")
    return 1


def _heard() -> int:
    """Print how the missions ended, and what was done in each."""
    from commonground.console.logged import outcome
    from commonground.planning.mission.journal import read_header, read_steps

    found = []
    for file in sorted(MISSIONS.glob("*/events.jsonl")):
        steps = list(read_steps(file.parent))
        orders = [d["task"] for step in steps for d in step.decided if d["kind"] == "do"]
        told = read_header(file.parent)["instruction"]
        found.append([told, outcome(steps), list(dict.fromkeys(orders))])
    sys.stdout.write(json.dumps(found) + "\n")
    return 0
