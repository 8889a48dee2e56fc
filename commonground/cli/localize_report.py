"""What ``commonground localize`` tells: a line for each estimate, and the last state."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from commonground.atomic import write_text
from commonground.cli.job import Job
from commonground.crops import save_crops
from commonground.errors import HonestNo, LocalizationError

if TYPE_CHECKING:
    from commonground.mapping import Exchange
    from commonground.mapping.locating import Fix
    from commonground.objects import ObjectMap

HEADING = f"{'driven m':>8}  {'state':<9} {'cam x m':>8} {'cam y m':>8} {'yaw °':>7} {'± m':>6}  probability"
"""Over estimates: the place is that of the first camera."""


class Report:
    """Says each estimate as it comes, keeps all, and ends with the state at the end of the drive."""

    def __init__(self, job: Job, out: Path | None) -> None:
        self.job, self.out = job, out
        self.history: list[dict[str, Any]] = []
        self.last: Fix | None = None
        self.localized: list[Fix] = []
        self.accuracy: Mapping[str, float] = {}
        """How far off the fixes are, where that is known."""
        self.exchanged: list[Exchange] = []
        """What stands where the map has something else."""

    def add(self, fix: Fix) -> None:
        """Take one estimate."""
        if self.last is None:
            self.job.styled(f"[bold]{HEADING}[/]")
        self.last = fix
        if fix.estimate.state == "localized":
            self.localized.append(fix)
        self.history.append(fix.as_json())
        self.job.say(line(self.history[-1]))

    def compare(
        self, objects_map: ObjectMap, file: Path, driven: tuple[ObjectMap, Path] | None
    ) -> None:
        """Note what looks otherwise than the map in ``file`` says, of a drive that was localized.

        A drive that was mapped before has pictures beside its own file; of a recording those are written
        beside the estimates, where these are.
        """
        from commonground.mapping import exchanged_since

        if self.last is None or self.last.estimate.T_map_odom is None:
            return
        folder: str | None
        if driven is not None:
            seen, folder = driven[0], f"{driven[1].parent}/"
        elif self.last.seen is not None:
            seen, folder = self.last.seen.objects, self._pictures
        else:
            return
        name = str(seen.metadata.get("robot", "")) or "the robot"
        T = self.last.estimate.T_map_odom
        self.exchanged = exchanged_since(objects_map, seen, T, name, (f"{file.parent}/", folder))
        if driven is None and folder and self.exchanged and self.last.seen is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
            shown = {found.symbols[1] for found in self.exchanged}
            crops = {s: own for s, own in self.last.seen.crops.items() if s in shown}
            save_crops(crops, Path(folder))

    def score(self, map_file: Path, own: Path | None) -> None:
        """Note how far off the fixes are, where the true paths lie beside the map and the drive.

        ``own`` is the folder of a drive that was mapped before; a recording tells true poses as it goes.
        """
        from commonground.scores import score_of_files
        from commonground.story.fix_scores import fix_scores, paths_of, true_poses

        aligned = score_of_files(paths_of(map_file))
        if aligned is not None:
            true = true_poses(self.localized, own)
            self.accuracy = fix_scores(self.localized, true, aligned.T_true_found)

    @property
    def _pictures(self) -> str | None:
        """The folder for pictures of what a recording shows, beside the estimates."""
        return None if self.out is None else f"{self.out.with_suffix('')}/"

    def __enter__(self) -> Report:
        return self

    def __exit__(self, *_: object) -> None:
        """Write what there is, also after an interrupt."""
        if self.out is not None and self.history:
            text = "".join(json.dumps(e) + "\n" for e in self.history)
            write_text(self.out, text)

    def close(self) -> None:
        """Print the result; exit with code 3 unless the robot is localized."""
        if self.last is None:
            raise LocalizationError(
                "the drive has no submap: no frame from --start to --stop, no usable one, or none with a pose"
            )
        covariance, final = self.last.estimate.covariance, self.history[-1]
        self.job.result(
            {
                "state": final["state"],
                "T_map_odom": final["T_map_odom"],
                "covariance": None if covariance is None else covariance.tolist(),
                "confidence": final["confidence"],
                **({"accuracy": self.accuracy} if self.accuracy else {}),
                "history": self.history,
                "exchanged": [found.as_json() for found in self.exchanged],
            }
        )
        for found in self.exchanged:
            self.job.say(str(found))
        if self.accuracy:
            self.job.say(
                "{fixes} fixes are off the true poses by {median_m:.2f} m and {median_deg:.1f}° (medians), "
                "{worst_m:.2f} m at worst; NEES {nees:.1f} (3 where they err as stated)".format(
                    **self.accuracy
                )
            )
        if self.out is not None:
            self.job.say(f"{len(self.history)} estimates written to {self.out}")
        if final["state"] != "localized":
            self.job.say(f"not localized: {_advice(final['state'])}")
            raise typer.Exit(HonestNo.exit_code)


def line(values: dict[str, Any]) -> str:
    """Return one estimate as people read it."""
    head = f"{values['travel_m']:8.1f}  {values['state']:<9}"
    if values["position_map"] is None:
        return head
    x, y, _ = values["position_map"]
    place = f"{x:8.1f} {y:8.1f} {values['yaw_deg']:7.1f} {values['sigma_m']:6.2f}"
    return f"{head} {place}  {values['confidence']:11.3f}"


def _advice(state: str) -> str:
    if state == "tentative":
        return "one place fits best so far; a few more meters will tell"
    return "nothing seen so far tells the place; drive on, or map this part first"
