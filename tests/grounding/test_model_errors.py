"""A model that errs in three of ten answers: what it gets wrong is seen, and asked for again until right."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from commonground.grounding.answers import Grounding
from commonground.grounding.frontends.second import SecondOpinion
from commonground.grounding.grounder import Grounder
from commonground.grounding.meaning import meaning_from_json
from commonground.grounding.settings import GroundingSettings, ModelSettings
from tests.grounding.erring_model import ANSWER_ERRORS, ErringModel, instructions
from tests.grounding.model_server import model_server
from tests.grounding.sites import STYLES, Site, make_site


@pytest.fixture(scope="module")
def site() -> Site:
    """A harbour with two robots."""
    return make_site(STYLES["harbour"], 7)


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    """Have each text read offline once: what the model errs in changes nothing of that."""
    known: dict[str, Grounding | None] = {}
    read = SecondOpinion.on

    def on(self: SecondOpinion, text: str) -> Grounding | None:
        if text not in known:
            known[text] = read(self, text)
        return known[text]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SecondOpinion, "on", on)
        yield


def _outcomes(site: Site, kinds: tuple[str, ...], rate: float) -> tuple[int, int, int]:
    """Return how many instructions come out right and wrong, and how many there are."""
    right = instructions(site, 30, 3)
    offline = Grounder(site.graph, site.team)
    model = ErringModel(rate, 5, kinds, right=right, robots=[r.name for r in site.team])
    good = wrong = asked = 0
    with model_server(model) as (address, _):
        server = ModelSettings(base_url=address, timeout_s=60, budget_s=600)
        grounder = Grounder(
            site.graph, site.team, GroundingSettings(backend="openai", model=server)
        )
        for text, meaning in right.items():
            meant = offline.ground_meaning(meaning_from_json(json.dumps(meaning)))
            if meant.status != "ok":
                continue
            asked += 1
            answer = grounder.ground(text)
            good += answer.goals == meant.goals
            wrong += answer.status == "ok" and answer.goals != meant.goals
    assert model.made["none"] < sum(model.made.values())
    return good, wrong, asked


def test_three_errors_in_ten_answers_leave_the_goals_right(site: Site) -> None:
    good, wrong, asked = _outcomes(site, ANSWER_ERRORS, 0.3)
    assert asked > 15
    assert wrong == 0
    assert good >= 0.97 * asked


@pytest.mark.parametrize(
    "kind", ["wrong id", "wrong robot", "dropped clause", "wrong number", "wrong order"]
)
def test_a_model_that_always_errs_gets_no_wrong_goal_through(site: Site, kind: str) -> None:
    _, wrong, asked = _outcomes(site, (kind,), 1.0)
    assert asked > 15
    assert wrong == 0
