"""What retries and checks make of a model that errs: right, asked, failed, wrong, by path and rate.

Run ``python benchmarks/model_errors.py``; simulated models on loopback err in ids, robots, fields, clauses,
numbers and order, make things up, hang, are busy, break off. ``wrong`` is what was believed and is not so;
``stood in`` what was read offline instead. Counts, requests and tokens an item.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from commonground.grounding.grounder import Grounder
from commonground.grounding.knowledge.files import triple
from commonground.grounding.meaning import meaning_from_json
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.model import ChatModel, Usage
from commonground.grounding.problem_writer.goals import read_household_goal
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.modeled import ModelWriter
from commonground.grounding.problem_writer.offline import OfflineWriter
from commonground.grounding.prolog.generation.generate import Order, Status, generate_base
from commonground.grounding.prolog.generation.prompts import load_prompts
from commonground.grounding.prolog.solve import solve_program
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import GroundingSettings, ModelSettings
from tests.grounding.erring_model import ErringModel, instructions
from tests.grounding.erring_paths import (
    ErringListener,
    ErringProgrammer,
    ErringWriter,
    commands,
    parts_of,
    reports,
)
from tests.grounding.household.houses import graph_of, house
from tests.grounding.memory.conftest import written_house
from tests.grounding.model_server import model_server
from tests.grounding.sites import STYLES, make_site

SEED = 7
OUTCOMES = ("right", "asked", "stood in", "failed", "wrong")
Found = tuple[Counter[str], Usage]


def main() -> None:
    """Print one row a path and rate."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300, help="instructions and commands")
    parser.add_argument("--bases", type=int, default=10, help="knowledge bases")
    parser.add_argument("--rates", type=float, nargs="+", default=[0.0, 0.1, 0.3, 0.5])
    parser.add_argument("--paths", nargs="+", default=[*PATHS], choices=[*PATHS])
    given = parser.parse_args()
    print(f"seed {SEED}")
    print(
        f"{'path':10} {'rate':>5} {'items':>6}",
        *(f"{name:>9}" for name in OUTCOMES),
        "requests   tokens",
    )
    for path in given.paths:
        for rate in given.rates:
            counts, usage = PATHS[path](rate, given.bases if path == "assembly" else given.count)
            total = counts.total()
            tokens = (usage.prompt + usage.completion) / total
            cells = " ".join(f"{counts[name]:9d}" for name in OUTCOMES)
            print(
                f"{path:10} {rate:5.0%} {total:6d} {cells} {usage.requests / total:9.2f} {tokens:8.0f}",
                flush=True,
            )


def _model(address: str) -> ModelSettings:
    return ModelSettings(base_url=address, timeout_s=3, budget_s=60)


def scene(rate: float, count: int) -> Found:
    """Instructions about a made-up site: goals."""
    site = make_site(STYLES["harbour"], SEED)
    right = instructions(site, count, SEED)
    offline = Grounder(site.graph, site.team)
    meant = {t: offline.ground_meaning(meaning_from_json(json.dumps(m))) for t, m in right.items()}
    asked = [text for text, answer in meant.items() if answer.status == "ok"]
    counts: Counter[str] = Counter()
    erring = ErringModel(rate, SEED, right=right, robots=[r.name for r in site.team])
    with model_server(erring) as (address, _):
        settings = GroundingSettings(backend="openai", model=_model(address))
        grounder = Grounder(site.graph, site.team, settings)
        with ThreadPoolExecutor(8) as pool:
            answers = dict(zip(asked, pool.map(grounder.ground, asked), strict=True))
    usage = Usage()
    for text, answer in answers.items():
        usage += Usage(**answer.tokens)
        same = answer.goals == meant[text].goals
        counts[_outcome(answer.status, same)] += 1
    return counts, usage


def _outcome(status: str, same: bool) -> str:
    if status == "ok":
        return "right" if same else "wrong"
    return "asked" if status in ("ask", "clarify") else "failed"


def household(rate: float, count: int) -> Found:
    """Commands in a made-up house: goals, and what holds before."""
    right, graph, kinds = commands(count, SEED), graph_of(house()), Kinds.load()
    known = [*graph.types(), *kinds.types]
    counts: Counter[str] = Counter()

    def outcome(text: str, writer: ModelWriter) -> str:
        before = len(writer.notes)
        try:
            wish = writer.wish(text, graph)
        except Unclear:
            return "asked"
        if len(writer.notes) > before:
            return "stood in"
        meant = right[text]
        goals = [read_household_goal(goal, known) for goal in (*meant["before"], meant["goal"])]
        return "right" if [*wish.before, wish.goal] == goals else "wrong"

    with model_server(ErringWriter(rate, SEED, right=right)) as (address, _):
        model = ChatModel(_model(address))
        for text in right:
            counts[outcome(text, ModelWriter(model, OfflineWriter(kinds)))] += 1
    return counts, model.usage


def memory(rate: float, count: int) -> Found:
    """Reports in a made-up house: what is believed afterwards, each on the same beliefs."""
    told = reports()
    counts: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        model_server(ErringListener(rate, SEED, right=told)) as (address, _),
    ):
        files = written_house(Path(folder))
        usage = Usage()
        for n in range(count):
            text = [*told][n % len(told)]
            path = files / f"{n}.db"
            create_memory(path, files / "house.pddl", files / "house.jsonl").close()
            model = ChatModel(_model(address))
            settings = MemorySettings(backend="openai", utc_offset_h=0)
            with open_memory(path, settings, model=model) as opened:
                before = set(opened.store.facts)
                answer = opened.tell(text)
                meant = {triple(*fact) for fact in told[text]["add"]}
                now = set(opened.store.facts)
                same = meant <= now and now - before <= meant
            status = "ok" if answer.status == "none" else answer.status
            counts[_outcome(status, same)] += 1
            usage += model.usage
    return counts, usage


def assembly(rate: float, count: int) -> Found:
    """Knowledge bases written part by part: the schedule they lead to."""
    data = Path(__file__).resolve().parents[1] / "tests/grounding/prolog/data/cups.pl"
    prompts = load_prompts()
    parts = {prompts.steps[name].task: text for name, text in parts_of(data).items()}
    order = Order("Two cups, c1 at left and c2 at right. Agents r1 and r2 carry c1 to top, c2 to bottom.",
                  "Arms r1 and r2 have vacuum grippers. Calls: go(Arm, To), suck(Arm).", prompts)  # fmt: skip
    wanted = solve_program(data.read_text(), "cups")[1].schedule
    counts: Counter[str] = Counter()
    usage = Usage()
    for n in range(count):
        with model_server(ErringProgrammer(rate, SEED + n, right=parts, hang_s=0.5)) as (
            address,
            _,
        ):
            made = generate_base(order, _model(address))
        usage += Usage(**made.tokens)
        if made.status is not Status.OK:
            counts["failed" if made.status is Status.UNAVAILABLE else "asked"] += 1
            continue
        found = solve_program(made.program, "generated")[1].schedule
        same = found is not None and wanted is not None and found.makespan_s == wanted.makespan_s
        counts["right" if same else "wrong"] += 1
    return counts, usage


PATHS: dict[str, Callable[[float, int], Found]] = {
    "scene": scene, "household": household, "memory": memory, "assembly": assembly,
}  # fmt: skip

if __name__ == "__main__":
    main()
