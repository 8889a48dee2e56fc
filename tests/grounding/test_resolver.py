"""References resolved on made-up sites, against answers worked out the slow way."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.grounding.grounder import Grounder, Grounding
from commonground.grounding.meaning import meaning_from_json
from commonground.grounding.outlines import Outlines
from commonground.robots import Robot, Team
from commonground.scene import Boxes, load_scene
from tests.grounding.sites import STYLES, Site, make_site

COURTYARD = Path(__file__).resolve().parents[2] / "commonground/data/courtyard.json"
SITES: dict[int, tuple[Site, Grounder]] = {}


def _site(seed: int) -> tuple[Site, Grounder]:
    if seed not in SITES:
        site = make_site(STYLES["harbour"], seed)
        SITES[seed] = site, Grounder(site.graph, site.team)
    return SITES[seed]


def _inspect(grounder: Grounder, what: dict[str, Any], do: str = "inspect") -> Grounding:
    said = {"assignments": [{"who": {"names": ["anna"]}, "task": {"do": do, "what": what}}]}
    return grounder.ground_meaning(meaning_from_json(json.dumps(said)))


def _symbols(answer: Grounding) -> set[str]:
    goal = (answer.goals or {}).get("anna", "")
    return {
        word.strip("()")
        for word in goal.split()
        if word.strip("()")[:1] in "OR" and word[-1] == ")"
    }


def _of(site: Site, word: str) -> list[int]:
    return [i for i, w in enumerate(site.words) if w == word]


def _meters(site: Site, rows: list[int], anchor: int) -> np.ndarray:
    """Return how far apart boxes are on the ground, (n,); the centers order those that meet."""
    boxes = site.graph.objects.boxes
    assert boxes is not None
    away = np.abs(boxes.centers[rows] - boxes.centers[anchor])[:, :2]
    apart = np.maximum(away - (boxes.sizes[rows] + boxes.sizes[anchor])[:, :2] / 2, 0)
    gap = np.linalg.norm(apart, axis=1)
    return np.where(gap > 0, gap, 1e-6 * np.linalg.norm(away, axis=1))


CLASSES = st.sampled_from(["sign", "pole", "box", "barrel", "light", "rail", "boat", "vehicle"])
SEEDS = st.integers(0, 5)


@given(SEEDS, CLASSES, st.integers(1, 3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_k_nearest_and_farthest(seed: int, word: str, k: int, far: bool) -> None:
    site, grounder = _site(seed)
    rows = _of(site, word)
    meters = _meters(site, rows, _of(site, "decor")[0])
    order = np.argsort(-meters if far else meters)
    if len(rows) > k and abs(meters[order[k - 1]] - meters[order[k]]) < 0.1:
        return
    how = "farthest" if far else "nearest"
    what = {
        "noun": word,
        "amount": "all",
        "total": k,
        "where": [{"how": how, "to": [{"noun": "decor"}]}],
    }
    expected = {site.symbols[rows[i]] for i in order[:k]}
    assert _symbols(_inspect(grounder, what)) == expected


@given(SEEDS, CLASSES, st.integers(5, 90), st.booleans())
@settings(max_examples=60, deadline=None)
def test_within_and_beyond(seed: int, word: str, radius: int, beyond: bool) -> None:
    site, grounder = _site(seed)
    rows = _of(site, word)
    meters = _meters(site, rows, _of(site, "decor")[0])
    expected = {
        site.symbols[r] for r, m in zip(rows, meters, strict=True) if (m > radius) == beyond
    }
    how = "beyond" if beyond else "within"
    where = [{"how": how, "to": [{"noun": "decor"}], "meters": radius}]
    answer = _inspect(grounder, {"noun": word, "amount": "all", "where": where})
    assert _symbols(answer) == expected
    assert (answer.status == "clarify") == (not expected)


@given(SEEDS, CLASSES, st.sampled_from(["north", "south", "east", "west"]))
@settings(max_examples=40, deadline=None)
def test_extremes_and_quarters(seed: int, word: str, side: str) -> None:
    site, grounder = _site(seed)
    rows = _of(site, word)
    direction = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}[side]
    along = site.positions[rows, :2] @ np.array(direction)
    best = site.symbols[rows[int(np.argmax(along))]]
    assert _symbols(_inspect(grounder, {"noun": word, "where": [{"how": side}]})) == {best}
    offset = site.positions[rows, :2] - site.positions[_of(site, "decor")[0], :2]
    angle = np.degrees(
        np.arctan2(offset[:, 1], offset[:, 0]) - np.arctan2(direction[1], direction[0])
    )
    inside = np.abs((angle + 180) % 360 - 180) <= 45
    expected = {site.symbols[r] for r, i in zip(rows, inside, strict=True) if i}
    where = [{"how": side, "to": [{"noun": "decor"}]}]
    assert _symbols(_inspect(grounder, {"noun": word, "amount": "all", "where": where})) == expected


@given(SEEDS, CLASSES, st.sampled_from(["left", "right"]))
@settings(max_examples=40, deadline=None)
def test_left_and_right_are_the_robots_own(seed: int, word: str, side: str) -> None:
    site, grounder = _site(seed)
    rows = _of(site, word)
    robot = site.team["anna"]
    local = (site.positions[rows] - robot.position) @ robot.T_map_robot[:3, :3]  # R^T p
    expected = {
        site.symbols[r]
        for r, y in zip(rows, local[:, 1], strict=True)
        if (y > 0) == (side == "left")
    }
    where = [{"how": side, "to": [{"kind": "robot"}]}]
    assert _symbols(_inspect(grounder, {"noun": word, "amount": "all", "where": where})) == expected


@given(SEEDS, CLASSES, st.booleans())
@settings(max_examples=40, deadline=None)
def test_regions_go_by_parents(seed: int, word: str, negated: bool) -> None:
    site, grounder = _site(seed)
    rows = _of(site, word)
    inside = {row for row, (_, cls, _) in enumerate(site.regions) if cls == "dock"}
    expected = {site.symbols[r] for r in rows if (site.region[r] in inside) != negated}
    where = [
        {"how": "in", "to": [{"noun": "dock", "amount": "any", "count": 1}], "negated": negated}
    ]
    assert _symbols(_inspect(grounder, {"noun": word, "amount": "all", "where": where})) == expected


@given(SEEDS, CLASSES)
@settings(max_examples=40, deadline=None)
def test_regions_by_what_they_contain(seed: int, word: str) -> None:
    site, grounder = _site(seed)
    counts = np.bincount(site.region[_of(site, word)], minlength=len(site.regions))
    expected = {symbol for (symbol, _, _), n in zip(site.regions, counts, strict=True) if n}
    where = [{"how": "contains", "to": [{"noun": word, "amount": "all"}]}]
    answer = _inspect(grounder, {"kind": "region", "amount": "all", "where": where}, "go")
    assert _symbols(answer) == expected
    top = np.sort(counts)[::-1]
    if top[0] > top[1]:
        where = [{"how": "most", "to": [{"noun": word, "amount": "all"}]}]
        best = _inspect(grounder, {"kind": "region", "where": where}, "go")
        assert _symbols(best) == {site.regions[int(np.argmax(counts))][0]}


def test_colours_and_exceptions() -> None:
    site, grounder = _site(1)
    red = {site.symbols[i] for i in _of(site, "boat") if site.colors[i] == "red"}
    assert _symbols(_inspect(grounder, {"noun": "boat", "amount": "all", "color": "red"})) == red
    but = [{"noun": "boat", "amount": "all", "color": "red"}]
    rest = _inspect(grounder, {"noun": "boat", "amount": "all", "but": but})
    assert _symbols(rest) == {site.symbols[i] for i in _of(site, "boat")} - red


def test_where_there_are_toolboxes_a_box_is_another_thing() -> None:
    site = make_site(replace(STYLES["harbour"], objects=(("box", 3), ("toolbox", 2))), 7)
    grounder = Grounder(site.graph, site.team)
    boxes = _symbols(_inspect(grounder, {"noun": "box", "amount": "all"}))
    toolboxes = _symbols(_inspect(grounder, {"noun": "toolbox", "amount": "all"}))
    assert (len(boxes), len(toolboxes)) == (3, 2) and boxes.isdisjoint(toolboxes)


def test_any_two_are_every_pair() -> None:
    _, grounder = _site(1)
    answer = _inspect(grounder, {"noun": "rail", "amount": "any", "count": 2})
    assert (answer.goals or {})["anna"].count("(and") == 6  # 4 choose 2


def test_one_choice_is_one_thing_in_all_that_is_said_of_it() -> None:
    _, grounder = _site(1)
    answer = grounder.ground("Anna, go to a flag and inspect it.")
    assert not answer.goals or answer.goals["anna"] == (
        "(or (and (visited-object O471) (safe O471)) (and (visited-object O674) (safe O674)))"
    )
    moved = grounder.ground("Anna, pick up a flag and put it at place 7.")
    assert not moved.goals or moved.goals["anna"] == (
        "(or (object-in-place O471 P7) (object-in-place O674 P7))"
    )


def test_distances_that_are_equal_are_asked_about() -> None:
    from dataclasses import replace

    site, _ = _site(1)
    objects = site.graph.objects
    positions = objects.positions.copy()
    flags, anchor = _of(site, "flag"), positions[_of(site, "decor")[0]]
    positions[flags[0]], positions[flags[1]] = anchor + [3.0, 0, 0], anchor - [3.0, 0, 0]
    boxes = Boxes.axis_aligned(positions, np.ones((len(positions), 3)))
    graph = site.graph.with_layer("objects", replace(objects, positions=positions, boxes=boxes))
    answer = Grounder(graph, site.team).ground("Anna, inspect the flag closest to the statue.")
    assert answer.status == "clarify"
    assert "equally" in answer.message
    assert set(answer.candidates) == {site.symbols[flags[0]], site.symbols[flags[1]]}


def test_distances_are_measured_on_the_ground_between_outlines() -> None:
    """A flag on a tall pole is as near as its pole, and a long fence as its nearest end."""
    team = Team({"spot": Robot("spot", np.eye(4), frozenset({"goto", "inspect"}))})
    grounder = Grounder(load_scene(COURTYARD), team)
    for text, goal in {
        "Spot, inspect the bench within 4 m of the flag.": "(safe O23)",
        "Spot, inspect the box within 5 m of the flag.": "(safe O29)",
        "Spot, inspect the tree nearest to the fence.": "(safe O8)",
        "Spot, inspect all trees within 6 m of the fence.": "(and (safe O6) (safe O8))",
        "Spot, inspect the box between the flag and the fence.": "(safe O29)",
    }.items():
        assert grounder.ground(text).goals == {"spot": goal}, text


def test_outlines_turn_with_their_boxes() -> None:
    """A box of 4 x 2 m that stands aslant reaches farther along its own sides than its bounds tell."""
    turn = np.array([np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)])
    sizes = np.array([[4.0, 2.0, 1.0], [1.0, 1.0, 1.0], [0.2, 9.0, 1.0]])
    centers = np.array([[0.0, 0, 0], [4.0, 4.0, 9.0], [0.0, 0, 0]])
    turns = np.array([turn, [1.0, 0, 0, 0], [1.0, 0, 0, 0]])
    found = Outlines.of(centers, Boxes(centers, sizes, turns))
    to_small = found.to_one(found.take([1]))
    assert to_small[0] == pytest.approx(np.sqrt(24.5) - 2.0)  # the corner at (3.5, 3.5)
    assert found.to_one(found.take([0]))[2] == 0  # crossing, with no corner of either in the other
    points = found.take([0]).to_points(np.array([[0.0, 0.0], [3.0, 3.0], [-3.0, 3.0]]))[0]
    assert points == pytest.approx([0.0, np.sqrt(18) - 2.0, np.sqrt(18) - 1.0])


def test_too_many_choices_are_asked_about() -> None:
    site = make_site(STYLES["harbour"], 1, scale=10)
    answer = Grounder(site.graph, site.team).ground("Anna, inspect any five poles.")
    assert answer.status == "clarify" and "too many ways" in answer.message


@pytest.mark.parametrize("backwards", [False, True])
def test_goals_do_not_depend_on_the_order_of_the_nodes(backwards: bool) -> None:
    site, grounder = _site(2)
    order = np.random.default_rng(5).permutation(len(site.symbols))
    order = order[::-1] if backwards else order
    shuffled = Grounder(site.graph.take("objects", order), site.team)
    for text in (
        "Anna, inspect the two boxes nearest to the statue.",
        "Bert, go to the northernmost pole.",
        "Anna, inspect the signs on the sidewalk.",
    ):
        a, b = grounder.ground(text), shuffled.ground(text)
        assert a.status == b.status
        assert (a.goals or {}).keys() == (b.goals or {}).keys()
        for robot, goal in (a.goals or {}).items():
            assert _sorted(goal) == _sorted((b.goals or {})[robot])


def _sorted(goal: str) -> list[str]:
    return sorted(word.strip("()") for word in goal.split())


def test_a_scene_without_regions_places_or_colours_still_grounds() -> None:
    from commonground.scene import SceneGraph

    site, _ = _site(1)
    bare = SceneGraph({"objects": site.graph.objects}, labelspaces=site.graph.labelspaces)
    grounder = Grounder(bare, site.team)
    assert grounder.ground("Anna, inspect the statue.").goals == {"anna": "(safe O1552)"}
    assert grounder.ground("Anna, go to the shore.").status == "clarify"
    assert grounder.ground("Anna, put the food next to the statue.").status == "clarify"
    assert Grounder(SceneGraph(), site.team).ground("Anna, go to the flag.").status == "clarify"


@pytest.mark.parametrize(
    ("text", "chosen", "goal"),
    [
        ("Spot, inspect the green bench.", "O23", {"spot": "(safe O23)"}),
        ("Spot, inspect the green bench closest to the flag.", "O23", {"spot": "(safe O23)"}),
        ("Spot, inspect the bench in the north lawn.", "O23", {"spot": "(safe O23)"}),
        ("Rover, inspect the flag.", "husky", {"husky": "(safe O38)"}),
    ],
)
def test_who_points_at_one_means_it_whatever_was_said(
    text: str, chosen: str, goal: dict[str, str]
) -> None:
    """A description that holds of nothing is asked about once, not again after the answer."""
    able = frozenset({"goto", "inspect"})
    team = Team({name: Robot(name, np.eye(4), able) for name in ("spot", "husky")})
    grounder = Grounder(load_scene(COURTYARD), team)
    asked = grounder.ground(text)
    assert asked.goals is None and chosen in asked.candidates
    assert grounder.answering([chosen]).ground(text).goals == goal
