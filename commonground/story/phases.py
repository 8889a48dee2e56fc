"""The chapters in their order: each is done once, and a stopped run goes on where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import RunError
from commonground.reporter import SILENT, Reporter
from commonground.runs import Run
from commonground.story.spec import REPORT, Story


@dataclass(frozen=True, slots=True)
class StoryResult:
    """What came of a story."""

    folder: Path
    chapters: Mapping[str, Mapping[str, Any]]
    """Phase → its result."""
    seconds: Mapping[str, float]

    @property
    def shortfalls(self) -> list[str]:
        """What a person hoped for and did not get, a line each."""
        fused, found = self.chapters["fuse"], self.chapters["relocalize"]
        out = [
            f"{name} could not be joined to the map of the others"
            for name in fused["robots"]
            if name not in fused["joined"]
        ]
        out += [
            f"{name} does not know where it is: {fix['state']}"
            for name, fix in found.items()
            if fix["state"] != "localized"
        ]
        for driven in self.chapters["drive"].get("driven", []):
            for name, result in driven["robots"].items():
                if not result["done"]:
                    out.append(f"{name} did not finish: {result['surprise']}")
        return out

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "status": "short" if self.shortfalls else "done",
            "shortfalls": self.shortfalls,
            "folder": str(self.folder),
            "report": str(self.folder / REPORT),
            "seconds": dict(self.seconds),
            **self.chapters,
        }


def run_story(
    story: Story,
    out: str | Path,
    *,
    seed: int = 0,
    fresh: bool = False,
    reporter: Reporter = SILENT,
) -> StoryResult:
    """Do every phase of a story that is not done yet in the run directory ``out``, and write the report."""
    import numpy as np

    from commonground.story.asking import ask
    from commonground.story.drives import data_of, gone
    from commonground.story.driving import carry_out
    from commonground.story.frame_work import FrameWork
    from commonground.story.looking import look_for
    from commonground.story.report import write_report
    from commonground.story.scoring import score
    from commonground.story.seeing import fuse_robots, localize_robots, map_robots

    out = Path(out)
    if (out / "dataset.yaml").is_file():
        raise RunError(f"{out}: is a dataset; name another folder for the run")
    text = story.model_dump_json(indent=1)
    missing = gone(story.see, story.again)
    made_of = Run.made_before(out, "run", seed, text) if missing and not fresh else None
    if made_of is None:
        made_of = data_of(story.see, story.again)
    else:
        names = ", ".join(map(str, missing))
        reporter.note(f"{names}: no longer there; what was made of it is kept")
    with (
        Run.open(out, "run", seed=seed, config_yaml=text, made_of=made_of, fresh=fresh) as run,
        FrameWork(story, run, reporter) as work,
    ):
        chapters: dict[str, Callable[[], Mapping[str, Any]]] = {
            "map": lambda: map_robots(story, work),
            "fuse": lambda: fuse_robots(story, run, np.random.default_rng(seed)),
            "relocalize": lambda: localize_robots(story, run, work),
            "find": lambda: work.do(look_for, story, run.fused),
            "instruct": lambda: ask(story, run, seed),
            "drive": lambda: carry_out(story, run),
            "score": lambda: score(story, run),
        }
        done = {}
        for name, chapter in chapters.items():
            with _phase(reporter, name, run):
                done[name] = run.phase(name, chapter)
        with _phase(reporter, "report", run):
            write_report(story, run, done)
        seconds = {p.name: p.time_s for p in run.phases()}
    return StoryResult(Path(out), done, seconds)


@contextmanager
def _phase(reporter: Reporter, name: str, run: Run) -> Iterator[None]:
    if run.done(name):
        reporter.note(f"{name}: done before")
        yield
        return
    with reporter.phase(name):
        yield
