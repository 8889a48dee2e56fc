"""News are likelier than what is known already, but nobody is taken to say the contrary of what he says."""

import pytest

from commonground.grounding.english.utterance import Clause, Part, Sense, Utterance
from commonground.grounding.english.weighing import Weighed
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.checks.weighing import Way, not_turned_around
from commonground.grounding.memory.interpretation.reading import Reading

MADE, UNMADE = (Fact("bed", "bed_made", value) for value in ("true", "false"))
RUNNING, STOPPED = (Fact("tap", "running", value) for value in ("true", "false"))


def sense(fact: Fact, share: float, *ways: tuple[Sense, bool, float]) -> Weighed[Way]:
    made = (
        Way(
            Reading("ok", (fact,)),
            Utterance((Part(Clause(name, "tell", negated=denied)),)),
            probability,
        )
        for name, denied, probability in ways
    )
    return Weighed(tuple(made), share)


@pytest.mark.parametrize(
    ("text", "news", "known", "meant"),
    [
        (
            "Bed not made. Leaving it.",
            sense(MADE, 0.85, ("be unmade", True, 0.13), ("be made", False, 0.01)),
            sense(UNMADE, 0.02, ("be unmade", False, 0.69), ("be made", True, 0.04)),
            UNMADE,
        ),
        (
            "The tap isn't running any longer.",
            sense(STOPPED, 0.85, ("be on", True, 0.2)),
            sense(RUNNING, 0.02, ("be on", False, 0.6)),
            STOPPED,
        ),
        (
            "The tap runs.",
            sense(STOPPED, 0.85, ("be on", True, 0.2)),
            sense(RUNNING, 0.02, ("be on", False, 0.6)),
            RUNNING,
        ),
        (
            "The tap runs.",
            sense(STOPPED, 0.85, ("be on", True, 0.6)),
            sense(RUNNING, 0.02, ("be on", False, 0.2)),
            STOPPED,
        ),
    ],
)
def test_what_is_denied_once_is_denied(
    text: str, news: Weighed[Way], known: Weighed[Way], meant: Fact
) -> None:
    best = not_turned_around([news, known], text)[0]
    assert best.ways[0].reading.facts == (meant,)
