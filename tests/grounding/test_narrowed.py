"""Things that are narrowed down, taken up by a part of a name, or counted where they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonground.grounding import Grounder
from commonground.planning.pddl import And, parse_formula
from tests.grounding.sites import FARM, Site, make_site


@pytest.fixture(scope="module")
def farm() -> Site:
    return make_site(FARM, 3)


@pytest.fixture(scope="module")
def grounder(farm: Site) -> Grounder:
    return Grounder(farm.graph, farm.team)


def _parts(goal: str) -> set[str]:
    formula = parse_formula(goal)
    return {str(part) for part in (formula.parts if isinstance(formula, And) else (formula,))}


@pytest.mark.parametrize(
    "addition",
    [", only the blue ones.", ", but only the blue ones, please.", " - just the blue ones mind."],
)
def test_only_those_are_meant_that_are_added_behind(
    grounder: Grounder, farm: Site, addition: str
) -> None:
    found = grounder.ground(f"Spot, inspect the barrels{addition}")
    own = zip(farm.symbols, farm.words, farm.colors, strict=True)
    wanted = {f"(safe {symbol.lower()})" for symbol, *what in own if what == ["barrel", "blue"]}
    assert found.goals is None or _parts(found.goals["spot"]) == wanted


@pytest.mark.parametrize("told", ["have been done", "are empty"])
def test_what_is_told_of_some_narrows_nothing(grounder: Grounder, told: str) -> None:
    goals = grounder.ground(f"Spot, inspect the barrels, only the blue ones {told}.").goals
    blue = grounder.ground("Spot, inspect the blue barrels.").goals
    assert blue is not None
    assert goals is None or _parts(goals["spot"]).isdisjoint(_parts(blue["spot"]))


def test_the_other_of_two_names_is_what_one_stands_for(grounder: Grounder, farm: Site) -> None:
    of = {name: symbol for symbol, _, name in farm.regions}
    found = grounder.ground("Jackal, go to the upper field. Spot, go to the lower one.")
    assert found.goals == {
        "jackal": f"(visited-region {of['upper field']})", "spot": f"(visited-region {of['lower field']})",
    }  # fmt: skip
    assert (
        grounder.ground("Jackal, go to the upper field. Spot, go to the oldest one.").goals is None
    )


@pytest.mark.parametrize(("first", "second"), [("box", "toolbox"), ("toolbox", "box")])
def test_a_word_that_the_map_has_is_no_wider_than_its_class(first: str, second: str) -> None:
    site = make_site(replace(FARM, objects=(("crate", 3), (second, 2), (first, 2))), 7)
    found = Grounder(site.graph, site.team).ground("Spot, inspect all crates.")
    crates = {
        f"(safe {s.lower()})" for s, w in zip(site.symbols, site.words, strict=True) if w == "crate"
    }
    assert found.goals is not None and _parts(found.goals["spot"]) == crates


def test_the_two_there_are_of_what_was_spoken_of(grounder: Grounder, farm: Site) -> None:
    def fences(area: str) -> set[str]:
        row = next(k for k, (_, _, name) in enumerate(farm.regions) if name == area)
        own = zip(farm.symbols, farm.words, farm.region, strict=True)
        return {
            f"(safe {symbol.lower()})" for symbol, word, at in own if (word, at) == ("fence", row)
        }

    first = "Spot, inspect the fences in the old barn"
    text = f"{first}, and Jackal can do the same with the two in the visitor parking."
    found = grounder.ground(text)
    assert len(fences("visitor parking")) == 2
    if found.goals is None:
        return  # asked about
    assert _parts(found.goals["jackal"]) == fences("visitor parking")
    assert _parts(found.goals["spot"]) == fences("old barn")
