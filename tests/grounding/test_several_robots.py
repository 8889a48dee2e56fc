"""Several robots in a text: who alone may do something, who waits for whom, a thing for each; and leaving."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonground.grounding import Grounder
from commonground.grounding.aliases import Aliases
from commonground.planning.pddl import And, parse_formula
from commonground.robots import Team
from tests.grounding.sites import FARM, Site, make_site

ROBOTS = ("anna", "bert", "cora")


@pytest.fixture(scope="module")
def farm() -> Site:
    return make_site(FARM, 3)


@pytest.fixture(scope="module")
def grounder(farm: Site) -> Grounder:
    return Grounder(farm.graph, farm.team)


def _barn(site: Site) -> str:
    return next(symbol for symbol, _, name in site.regions if name == "old barn")


def _parts(goal: str) -> set[str]:
    formula = parse_formula(goal)
    return {str(part) for part in (formula.parts if isinstance(formula, And) else (formula,))}


@pytest.mark.parametrize("verb", ["Leave", "Get out of", "Vacate", "Evacuate"])
def test_what_is_left_is_not_where_a_robot_ends(grounder: Grounder, farm: Site, verb: str) -> None:
    found = grounder.ground(f"{verb} the old barn, Spot.")
    assert found.goals in (None, {"spot": f"(not (in-region {_barn(farm)}))"})


@pytest.mark.parametrize(
    "text",
    [
        "Spot, move away from the boat.", "Spot, drive off from the boat.", "Jackal, get clear of the boat.",
        "Spot, get as far away from the boat as you can.",
    ],
)  # fmt: skip
def test_how_far_to_leave_a_thing_is_asked(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


def test_who_alone_may_enter_keeps_the_others_out(grounder: Grounder, farm: Site) -> None:
    found = grounder.ground("Only Jackal may enter the old barn. Spot, inspect the boat.")
    assert found.goals is not None and set(found.goals) == {"spot"}
    boat = farm.symbols[farm.words.index("boat")]
    inside = farm.regions[farm.region[farm.words.index("boat")]][0] == _barn(farm)
    wanted = {f"(not (visited-region {_barn(farm)}))", f"(safe {boat})"}
    assert not inside and _parts(found.goals["spot"]) == {*map(_as_text, wanted)}


def _as_text(goal: str) -> str:
    return str(parse_formula(goal))


@pytest.mark.parametrize(
    "text",
    [
        "Spot inspects the boat before Jackal inspects the bicycle.",
        "First Spot checks the boat, then Jackal checks the bicycle.",
        "Jackal, wait until Spot has checked the boat, then check the bicycle.",
        "As soon as Spot has checked the boat, Jackal checks the bicycle.",
    ],
)
def test_who_waits_for_another_does_so_or_is_asked_about(grounder: Grounder, text: str) -> None:
    found = grounder.ground(text)
    turns = [(pair.first.robot, pair.then.robot) for pair in found.order]
    assert found.goals is None or turns == [("spot", "jackal")]


@pytest.mark.parametrize("names", [("spot", "jackal"), ("r2", "blue")])
def test_the_order_is_that_of_the_robots_own_names(farm: Site, names: tuple[str, str]) -> None:
    team = Team({n: replace(r, name=n) for n, r in zip(names, farm.team, strict=True)})
    one, other = (name.capitalize() for name in names)
    found = Grounder(farm.graph, team).ground(
        f"First {one} checks the boat, then {other} checks the bicycle."
    )
    assert [(pair.first.robot, pair.then.robot) for pair in found.order] == [names]


def test_no_robot_tells_another_anything(grounder: Grounder) -> None:
    assert grounder.ground("Jackal, check the bicycle and let Spot know.").goals is None


@pytest.mark.parametrize(
    "text",
    [
        "Each of you inspect a different tractor.",
        "Spot and Jackal each inspect a different tractor.",
    ],
)
def test_each_gets_a_thing_of_its_own(grounder: Grounder, farm: Site, text: str) -> None:
    found = grounder.ground(text).goals
    if found is None:
        return  # asked about
    tractors = {
        f"(safe {s})" for s, w in zip(farm.symbols, farm.words, strict=True) if w == "tractor"
    }
    assert set(found) == {"spot", "jackal"} and set(found.values()) == tractors


def test_too_few_for_each_are_asked_about(grounder: Grounder) -> None:
    found = grounder.ground("Each robot inspects a different boat.")
    assert found.goals is None


@pytest.mark.parametrize(
    "text",
    [
        "Spot, check the boat and Jackal, go to the old barn.",
        "Spot checks the boat, Jackal goes to the old barn.",
        "Spot, check the boat. Jackal, to the old barn.",
    ],
)
def test_each_does_what_it_is_told_in_one_sentence(
    grounder: Grounder, farm: Site, text: str
) -> None:
    boat = farm.symbols[farm.words.index("boat")]
    found = grounder.ground(text)
    assert found.goals == {"spot": f"(safe {boat})", "jackal": f"(visited-region {_barn(farm)})"}


@pytest.mark.parametrize("link", ["Jackal, check it.", "After that Jackal inspects it."])
def test_what_was_put_somewhere_is_checked_and_not_that_place(
    grounder: Grounder, farm: Site, link: str
) -> None:
    boat = farm.symbols[farm.words.index("boat")]
    found = grounder.ground(f"Spot, put the boat in the old barn. {link}")
    assert (found.goals or {}).get("jackal") == f"(safe {boat})"


def test_where_nobody_may_go_is_forbidden_to_all(grounder: Grounder, farm: Site) -> None:
    found = grounder.ground("Nobody is to go into the old barn.")
    assert found.goals is not None and set(found.goals) == {*farm.team.robots}
    assert set(found.goals.values()) == {f"(not (visited-region {_barn(farm)}))"}


@pytest.mark.parametrize("text", ["Spot checks the boat, Jackal stays away from it."])
def test_who_stays_away_does_not_go(grounder: Grounder, text: str) -> None:
    goals = grounder.ground(text).goals or {}
    assert not goals.get("jackal", "(not").startswith(("(safe", "(visited"))


@pytest.mark.parametrize(
    "names", [("blue", "r2"), ("r2", "red"), ("ada", "blue"), ("north", "zorp")]
)
def test_what_robots_are_called_does_not_matter(farm: Site, names: tuple[str, str]) -> None:
    first, second = farm.team
    team = Team({n: replace(r, name=n) for n, r in zip(names, (first, second), strict=True)})
    one, other = (name.capitalize() for name in names)
    found = Grounder(farm.graph, team).ground(f"{one}, check the boat. {other}, check the bicycle.")
    boat, bicycle = (farm.symbols[farm.words.index(w)] for w in ("boat", "bicycle"))
    assert found.goals == {names[0]: f"(safe {boat})", names[1]: f"(safe {bicycle})"}


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("R2, go to R1, R2 and R3.", "Bert, go to R1, R2 and R3."),
        ("Blue, check the blue box.", "Husky, check the blue box."),
        ("Anna, go to O9 before R2.", "Anna, go to O9 before R2."),
        ("Blue boxes need a look, R2 checks them.", "Blue boxes need a look, Bert checks them."),
    ],
)
def test_a_name_is_told_from_a_color_and_a_symbol(farm: Site, text: str, spoken: str) -> None:
    robot = next(iter(farm.team))
    team = Team({name: replace(robot, name=name) for name in ("r2", "blue")})
    assert Aliases(team, frozenset(["box"])).spoken(text) == spoken


@pytest.mark.parametrize(
    "text",
    [
        "Go to the old barn, Spot, and whatever happens, do not enter the old barn.",
        "You are to wait in the old barn, Spot, and never set foot in the old barn.",
    ],
)
def test_what_one_is_told_goes_to_no_other_where_it_contradicts_itself(
    grounder: Grounder, text: str
) -> None:
    assert grounder.ground(text).goals is None
