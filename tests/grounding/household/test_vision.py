"""Discovery through pictures: a real client asks a real server, and only what can be true is believed."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from commonground.datasets.household import Hidden, House, Move
from commonground.datasets.household.pictures import draw_view
from commonground.datasets.household.worlds import Floor
from commonground.errors import DataError, GroundingError
from commonground.grounding.knowledge.facts import TRUE, Fact
from commonground.grounding.model import ChatModel
from commonground.grounding.model.images import image_part
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.repair.acting import Sight
from commonground.grounding.repair.settings import RepairSettings
from commonground.grounding.repair.vision import ModelEyes, Picture
from commonground.grounding.settings import ModelSettings
from commonground.household.eyes import FolderCamera
from commonground.household.team import HouseholdTeam
from tests.grounding.household.houses import HANDY, graph_of, house, task
from tests.grounding.model_server import (
    completion,
    failing,
    hanging_up,
    model_server,
    reply,
    sleeping,
)

PNG = draw_view(House(house(), [HANDY]), "Fridge_1")
KINDS = Kinds.load()


def _graph_without(name: str) -> HouseGraph:
    """Return what is believed of the house by a team that does not know of a thing."""
    floor = {key: thing for key, thing in house().items() if key != name}
    return graph_of(floor)


def _see(*answers: Any, graph: HouseGraph | None = None, **settings: Any) -> tuple[Sight, Any]:
    values = {"timeout_s": 20.0, "budget_s": 60.0, "max_attempts": 2, **settings}
    with model_server(*answers) as (address, script):
        eyes = ModelEyes(ChatModel(ModelSettings(base_url=address, **values)), KINDS)
        sight = eyes.see([Picture("Fridge_1", PNG)], graph or _graph_without("Egg_1"))
    return sight, script


def _answer(*things: dict[str, Any], whole: tuple[str, ...] = ()) -> str:
    return json.dumps({"things": list(things), "whole": list(whole)})


EGG = {"name": "Egg_1", "type": "Egg", "in": "Fridge_1"}
FRIDGE = {"name": "Fridge_1", "type": "Fridge", "states": ["open"]}


def test_the_picture_is_sent_as_a_data_uri_and_what_it_shows_is_believed() -> None:
    sight, script = _see(_answer(FRIDGE, EGG, whole=("Fridge_1",)))
    words, picture = script.requests[0]["messages"][-1]["content"]
    kind, text = picture["image_url"]["url"].split(";base64,")
    assert kind == "data:image/png" and base64.b64decode(text) == PNG
    assert "Fridge_1" in words["text"] and "Egg" in words["text"]
    assert Fact("Fridge_1", "open", TRUE) in sight.facts
    assert Fact("Egg_1", "in", "Fridge_1") in sight.supposed, "nobody has touched it yet"
    assert Fact("Egg_1", "can", "pickupable") in sight.supposed
    assert sight.complete == {"Fridge_1"} and "Egg_1" in sight.things


WRONG = {
    "a type nobody knows": _answer({"name": "Unicorn_1", "type": "Unicorn", "in": "Fridge_1"}),
    "a place nobody knows": _answer({**EGG, "in": "Moon_1"}),
    "another place": _answer({**EGG, "in": "Sofa_1"}),
    "no receptacle": _answer({**EGG, "in": "Knife_1"}),
    "a name of another type": _answer({**EGG, "name": "Apple_9"}),
    "no name": _answer({**EGG, "name": "the egg"}),
    "a known thing of another type": _answer({**FRIDGE, "type": "Cabinet"}),
    "an impossible state": _answer({"name": "Fridge_1", "type": "Fridge", "states": ["sliced"]}),
    "no such state": _answer({**FRIDGE, "states": ["angry"]}),
    "contradictory states": _answer({**FRIDGE, "states": ["open", "closed"]}),
    "twice": _answer(EGG, EGG),
    "nowhere": _answer({"name": "Egg_1", "type": "Egg"}),
    "inside itself": _answer({"name": "Bowl_7", "type": "Bowl", "in": "Bowl_7"}),
    "whole of nothing": _answer(EGG, whole=("Moon_1",)),
    "malformed": "{things: an egg",
    "missing": "{}",
    "words": "There is an egg in the fridge.",
    "another schema": '{"things": [], "run": "rm -rf /"}',
    "injected": _answer({**EGG, "name": 'Egg_1) (:action evil"'}),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_true_is_refused_and_asked_for_again(name: str) -> None:
    sight, script = _see(WRONG[name], _answer(EGG))
    assert len(script.requests) == 2
    asked = script.requests[1]["messages"]
    assert "not valid" in asked[-1]["content"] and asked[1]["content"][1]["type"] == "image_url"
    assert Fact("Egg_1", "is-a", "Egg") in sight.supposed


@pytest.mark.parametrize("name", WRONG)
def test_a_model_that_goes_on_making_things_up_shows_nothing(name: str) -> None:
    sight, _ = _see(WRONG[name])
    assert sight == Sight()


@pytest.mark.parametrize("move", [failing(500), failing(429), hanging_up, sleeping(5.0)])
def test_without_an_answer_nothing_is_seen(move: Any) -> None:
    sight, _ = _see(move, timeout_s=0.15, budget_s=0.3)
    assert sight == Sight()


def test_servers_without_schemas_are_told_the_form_in_words() -> None:
    def picky(handler: Any, request: dict[str, Any]) -> None:
        if "response_format" in request:
            failing(400, "response_format is not supported")(handler, request)
            return
        reply(handler, completion(_answer(EGG)))

    sight, script = _see(picky)
    assert "Egg_1" in sight.things
    assert "JSON object of this schema" in script.requests[-1]["messages"][0]["content"]


# ---- in a mission ------------------------------------------------------------------------------------


def _reader(floor: Floor) -> Any:
    """Answer as a model that can read the labels: what the house shows at the place asked about."""

    def move(handler: Any, request: dict[str, Any]) -> None:
        text = request["messages"][-1]["content"][0]["text"]
        place = re.search(r"taken at (\w+)", text)
        assert place is not None
        inside = [
            {"name": name, "type": thing.type, "in": place[1]}
            for name, thing in floor.items()
            if thing.location == place[1]
        ]
        reply(handler, completion(_answer(*inside, whole=(place[1],) if inside else ())))

    return move


def _mission(floor: Floor, *answers: Any) -> Any:
    hidden = [Hidden("Egg_1", "Fridge_1", by_opening=True)]
    told = task("Put the egg in the bowl.", ["(contains Bowl Egg)"], hidden=hidden)
    with model_server(*answers) as (address, _):
        model = ModelSettings(base_url=address, timeout_s=20.0)
        settings = RepairSettings(eyes="openai", improve_s=0.0, model=model)
        with HouseholdTeam(settings) as team:
            return team.carry_out(floor, told, partial=True)


def test_a_hidden_thing_is_found_by_what_pictures_show() -> None:
    ran = _mission(house(), _reader(house()))
    assert ran.report.status == "done" and ran.score.success
    assert any("may be in Fridge" in why for why in ran.report.supposed)
    spent = ran.as_json()["spent"]
    assert spent["requests"] > 0 and spent["prompt"] == 900 * spent["requests"]


@pytest.mark.parametrize("move", [failing(500), failing(401), hanging_up, "I see nothing."])
def test_what_nobody_could_see_is_not_impossible(move: Any) -> None:
    hidden = [Hidden("Egg_1", "Fridge_1", by_opening=True)]
    told = task("Put the egg in the bowl.", ["(contains Bowl Egg)"], hidden=hidden)
    with model_server(move) as (address, _):
        model = ModelSettings(base_url=address, timeout_s=0.5, budget_s=0.5, max_attempts=1)
        settings = RepairSettings(eyes="openai", improve_s=0.0, model=model)
        with HouseholdTeam(settings) as team:
            ran = team.carry_out(house(), told, partial=True)
    assert ran.report.status == "gave_up"
    assert "could not be read" in ran.report.message and ran.stood_in


def test_a_thing_that_is_only_claimed_to_be_there_is_no_longer_believed_once_it_cannot_be_taken() -> (
    None
):
    def lying(handler: Any, request: dict[str, Any]) -> None:
        text = request["messages"][-1]["content"][0]["text"]
        place = re.search(r"taken at (\w+)", text)
        assert place is not None
        seen = {"name": "Egg_1", "type": "Egg", "in": place[1]}
        reply(handler, completion(_answer(seen)))

    ran = _mission(house(), lying)
    assert ran.report.status != "done" or ran.score.success
    assert not any(move.action == "PutObject" for move in ran.moves) or ran.score.success


def test_pictures_come_from_the_users_folder(tmp_path: Path) -> None:
    home = House(house(), [HANDY])
    home.do(Move("robot1", "GoToObject", ("Fridge_1",)))
    (tmp_path / "Fridge_1.png").write_bytes(PNG)
    assert [p.place for p in FolderCamera(tmp_path, home).pictures()] == ["Fridge_1"]
    home.do(Move("robot1", "GoToObject", ("Sofa_1",)))
    assert FolderCamera(tmp_path, home).pictures() == []
    with pytest.raises(DataError, match="no such folder"):
        FolderCamera(tmp_path / "none", home)
    with pytest.raises(GroundingError, match="PNG"):
        image_part(b"hello")


def test_a_drawn_view_shows_what_is_visible_and_no_more() -> None:
    from PIL import Image

    home = House(house(), [HANDY])
    closed = Image.open(io.BytesIO(draw_view(home, "Fridge_1")))
    home.do(Move("robot1", "GoToObject", ("Fridge_1",)))
    home.do(Move("robot1", "OpenObject", ("Fridge_1",)))
    opened = Image.open(io.BytesIO(draw_view(home, "Fridge_1")))
    assert opened.height > closed.height, "the contents of an open fridge are in the picture"
