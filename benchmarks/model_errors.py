"""What retries and checks make of a model that errs: right, asked back, failed, wrong, by rate of errors.

Run ``python benchmarks/model_errors.py``; a simulated model on loopback errs in ids, robots, fields, clauses,
numbers and order, hangs, is busy, breaks off. Counts of instructions, requests and tokens an instruction.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from commonground.grounding.grounder import Grounder
from commonground.grounding.meaning import meaning_from_json
from commonground.grounding.settings import GroundingSettings, ModelSettings
from tests.grounding.erring_model import ErringModel, instructions
from tests.grounding.model_server import model_server
from tests.grounding.sites import STYLES, make_site

SEED = 7


def main() -> None:
    """Print one row a rate."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--rates", type=float, nargs="+", default=[0.0, 0.1, 0.3, 0.5])
    given = parser.parse_args()
    print(f"seed {SEED}; {given.count} instructions")
    print("rate   right  asked back  failed  wrong  requests each  tokens each")
    for rate in given.rates:
        print(row(rate, given.count))


def row(rate: float, count: int) -> str:
    """Return what comes of the instructions at a rate of errors."""
    import json

    site = make_site(STYLES["harbour"], SEED)
    right = instructions(site, count, SEED)
    offline = Grounder(site.graph, site.team)
    meant = {t: offline.ground_meaning(meaning_from_json(json.dumps(m))) for t, m in right.items()}
    asked = [text for text, answer in meant.items() if answer.status == "ok"]
    model = ErringModel(right, [r.name for r in site.team], rate, SEED)
    with model_server(model) as (address, script):
        settings = GroundingSettings(
            backend="openai", model=ModelSettings(base_url=address, timeout_s=3, budget_s=60)
        )
        grounder = Grounder(site.graph, site.team, settings)
        with ThreadPoolExecutor(8) as pool:
            answers = dict(zip(asked, pool.map(grounder.ground, asked), strict=True))
    told = {text: answer for text, answer in answers.items() if answer.status == "ok"}
    good = sum(answer.goals == meant[text].goals for text, answer in told.items())
    back = sum(answer.status == "clarify" for answer in answers.values())
    failed = len(answers) - len(told) - back
    tokens = sum(
        a.tokens.get("prompt", 0) + a.tokens.get("completion", 0) for a in answers.values()
    )
    return (
        f"{rate:4.0%} {good:4d}/{len(asked):<4d} {back:8d} {failed:7d} {len(told) - good:6d} "
        f"{len(script.requests) / len(asked):12.2f} {tokens / len(asked):13.0f}"
    )


if __name__ == "__main__":
    main()
