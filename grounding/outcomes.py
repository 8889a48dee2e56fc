"""The four numbers of understanding English: right, asked, silently nothing, wrong.

To ask back costs a sentence; what is wrong is driven. So they are counted apart, for whole instructions on
a suite's map, and for what is read in voices that were left out of training.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

from commonground.errors import GroundingError
from commonground.grounding.answers import Grounding
from commonground.grounding.batches import answer_suite, in_order
from commonground.grounding.english.reader import Domain, Reader, Reading, load_reader
from commonground.grounding.english.symbols import read
from commonground.grounding.english.utterance import Clause, Span, Utterance
from commonground.grounding.grounder import Grounder
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.suites import Item, is_correct, load_suite
from commonground.reading import parse_json, read_text
from commonground.reasons import reason
from commonground.reporter import SILENT, Reporter
from commonground.scene import load_scene

Outcome = Literal["right", "asked", "silent", "wrong"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class Said:
    """A text with what it says."""

    text: str
    domain: Domain
    utterance: Utterance


def load_voice(path: Path) -> list[Said]:
    """Return what one file of a voice says.

    It has a JSON object a line: ``text``, ``domain``, and ``row``, the symbols of the utterance with
    ``[start, end]`` for each span.
    """
    return [*_said(path)]


def _said(path: Path) -> Iterator[Said]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            values = parse_json(line, path)
            text = values["text"]
            row = [
                item if isinstance(item, str) else Span(item[0], item[1], text[item[0] : item[1]])
                for item in values["row"]
            ]
            yield Said(text, values["domain"], read(row))
        except (ValueError, KeyError, TypeError, IndexError, GroundingError) as error:
            raise GroundingError(f"{path}: line {number} is no wording: {reason(error)}") from error


def outcome(reading: Reading, truth: Utterance) -> Outcome:
    """Return what a reading is, compared with what was said."""
    if reading.utterance == truth and reading.sure:
        return "right"
    if not reading.sure or reading.utterance is None:
        return "asked"
    return "silent" if empty(reading.utterance) and not empty(truth) else "wrong"


def empty(utterance: Utterance) -> bool:
    """Return whether an utterance asks for and tells nothing."""
    return all(isinstance(p.step, Clause) and p.step.sense == "nothing" for p in utterance.parts)


COLUMNS = ("of", "part", "total", *OUTCOMES)
CALIBRATION = ("confidence", "answers", "right %")
BINS = (0.0, 0.7, 0.8, 0.9, 0.95, 1.01)
"""Between which confidences answers are counted together."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The outcomes of one part of a suite, or of one domain of a voice."""

    of: str
    part: str
    outcomes: Counter[Outcome]
    missed: tuple[tuple[Outcome, str, str], ...] = ()
    """What was not right: outcome, text, answer."""
    sure: tuple[tuple[float, bool], ...] = ()
    """How sure each answer was that was acted on, and whether it was right."""

    def cells(self) -> list[object]:
        """Return the row as the printed table has it."""
        counts = [self.outcomes[name] for name in OUTCOMES]
        return [self.of, self.part, self.outcomes.total(), *counts]

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return dict(zip(COLUMNS, self.cells(), strict=True))


def outcome_of(item: Item, answer: Grounding) -> Outcome:
    """Return what an answer to an instruction of a suite is."""
    if is_correct(item, answer):
        return "right"
    if answer.status == "clarify":
        return "asked"
    return "wrong" if answer.goals else "silent"


def count(
    suites: Iterable[Path],
    voices: Iterable[Path],
    settings: GroundingSettings,
    reporter: Reporter = SILENT,
) -> list[Counted]:
    """Return the outcomes of suites and of voices: files, or folders of them."""
    rows = [row for suite in suites for row in count_suite(suite, settings, reporter)]
    files = voices_in(voices)
    if files:
        reader = load_reader(Path(settings.network) if settings.network else None)
        rows += [row for file in files for row in count_voice(file, reader, reporter)]
    return rows


def count_suite(
    path: str | Path, settings: GroundingSettings, reporter: Reporter = SILENT
) -> list[Counted]:
    """Return the outcomes of a suite, a row for each of its lists."""
    suite = load_suite(path)
    grounder = Grounder(load_scene(suite.scene), suite.team, settings)
    rows = []
    for name, items in suite.lists.items():
        answers = reporter.track(answer_suite(grounder, items), suite.name, total=len(items))
        came = in_order(items, answers)
        found = [(outcome_of(a.item, a.answer), a.item.text, _shown(a.answer)) for a in came]
        if found:
            acted = [a for a in came if a.answer.goals and a.answer.confidence is not None]
            sure = tuple((a.answer.confidence or 0.0, is_correct(a.item, a.answer)) for a in acted)
            rows.append(replace(_counted(suite.name, name, found), sure=sure))
    return rows


def calibration(rows: Iterable[Counted]) -> list[list[object]]:
    """Return how often answers of about the same confidence were right."""
    sure = [one for row in rows for one in row.sure]
    table: list[list[object]] = []
    for low, high in pairwise(BINS):
        right = [good for confidence, good in sure if low <= confidence < high]
        if right:
            share = 100 * sum(right) / len(right)
            table.append([f"{low:g} to {min(high, 1):g}", len(right), round(share, 1)])
    return table


def count_voice(path: str | Path, reader: Reader, reporter: Reporter = SILENT) -> list[Counted]:
    """Return the outcomes of the wordings of one voice, a row for each domain."""
    file = Path(path)
    said = load_voice(file)
    found: dict[str, list[tuple[Outcome, str, str]]] = {}
    for one in reporter.track(said, file.stem, total=len(said)):
        reading = reader.read(one.text, one.domain)
        heard = str(reading.utterance) if reading.utterance is not None else reading.problem
        found.setdefault(one.domain, []).append((outcome(reading, one.utterance), one.text, heard))
    return [_counted(file.stem, domain, rows) for domain, rows in sorted(found.items())]


def voices_in(paths: Iterable[Path]) -> list[Path]:
    """Return the files of voices that are named, or lie in a folder that is."""
    return [f for p in paths for f in (sorted(p.glob("*.jsonl")) if p.is_dir() else [p])]


def _counted(of: str, part: str, found: Sequence[tuple[Outcome, str, str]]) -> Counted:
    missed = tuple(row for row in found if row[0] != "right")
    return Counted(of, part, Counter(row[0] for row in found), missed)


def _shown(answer: Grounding) -> str:
    return answer.message if not answer.goals else str(dict(answer.goals))
