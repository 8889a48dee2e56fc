"""Finding by where, for tasks, with pictures: what ``find`` does beyond words."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.arrays import Floats32
from commonground.cli.main import run
from commonground.console.details import details_of
from commonground.crops import Crop, Crops, save_crops
from commonground.errors import GroundingError, SceneError
from commonground.grounding.grounder import Grounder
from commonground.grounding.lookup import (
    Finder,
    Witness,
    find,
    for_tasks,
    names_of_regions,
    read_tasks,
    witnessed,
)
from commonground.grounding.lookup.anew import seen_anew
from commonground.grounding.lookup.sizes import extreme_in
from commonground.grounding.lookup.where import told_where
from commonground.grounding.model.client import ChatModel
from commonground.grounding.nodes import nodes_of
from commonground.grounding.settings import ModelSettings
from commonground.robots import Robot, Team
from commonground.scene import Layer, SceneGraph, load_scene, save_scene
from commonground.scene.graph import Mesh
from commonground.scene.layer import OBJECTS, REGIONS, Boxes
from commonground.symbols import node_ids
from tests.grounding.model_server import model_server
from tests.grounding.test_lookup import Axes

ROW = ("bench", "wall", "barrel", "lamp")


def boxed(
    names: Sequence[str], positions: Any, sizes: Any, looks: Floats32 | None = None
) -> SceneGraph:
    """Return a map of things with upright boxes."""
    at = np.array(positions, float)
    words = sorted(set(names))
    layer = Layer.of(
        OBJECTS,
        node_ids("O", np.arange(len(names))),
        at,
        labels=[words.index(n) for n in names],
        boxes=Boxes.axis_aligned(at, np.array(sizes, float)),
        features=looks,
    )
    graph = SceneGraph(metadata={"embedding_model": "axes"})
    return graph.with_layer("objects", layer, dict(enumerate(words)))


def in_a_row() -> SceneGraph:
    """A bench, a wall, a barrel behind it, and a lamp beside the line."""
    at = [[0, 0, 0.5], [4, 0, 1], [10, 0, 0.5], [3, 6, 0.5]]
    return boxed(ROW, at, [[1, 1, 1], [0.2, 4, 3], [1, 1, 1], [1, 1, 1]])


def symbols(graph: SceneGraph, words: str, where: str) -> list[str]:
    return [hit.symbol for hit in find(graph, words, where=where).hits]


def test_a_box_between_hides_a_thing() -> None:
    assert symbols(in_a_row(), "lamp", "visible from the bench") == ["O3"]
    assert symbols(in_a_row(), "wall", "visible from O0") == ["O1"]
    assert symbols(in_a_row(), "barrel", "visible from O0") == []
    assert symbols(in_a_row(), "barrel", "visible from O1") == ["O2"]


def test_the_mesh_hides_what_it_stands_before() -> None:
    pytest.importorskip("open3d")
    square = np.array([[5, -2, -1], [5, 2, -1], [5, 2, 3], [5, -2, 3]], float)
    graph = replace(in_a_row(), mesh=Mesh(square, np.array([[0, 1, 2], [0, 2, 3]], np.int32)))
    assert symbols(graph, "barrel", "visible from O0") == []
    assert symbols(graph, "lamp", "visible from O0") == ["O3"]


def test_the_largest_is_one_of_those_that_are_meant() -> None:
    sizes = [[1, 1, 1], [3, 1, 1], [1, 1, 4], [9, 9, 9]]
    graph = boxed(["crate", "crate", "crate", "tower"], [[4 * k, 0, 0] for k in range(4)], sizes)
    for words, symbol in (
        ("the largest crate", "O2"), ("the longest crate", "O1"), ("smallest crate", "O0"),
        ("the tallest crate", "O2"), ("the bigger crate", "O2"), ("the largest tower", "O3"),
    ):  # fmt: skip
        assert symbols(graph, words, "") == [symbol], words
    (hit,) = find(graph, "the longest crate").hits
    assert hit.probability == 1.0 and "the longest of those" in hit.why
    assert not find(graph, "the largest wagon").hits


def test_things_of_one_size_may_each_be_the_largest() -> None:
    graph = boxed(
        ["crate"] * 3, [[4 * k, 0, 0] for k in range(3)], [[2, 2, 2], [2, 2, 2], [1, 1, 1]]
    )
    assert symbols(graph, "the largest crate", "") == ["O0", "O1"]
    assert all("one of the largest" in h.why for h in find(graph, "the largest crate").hits)


def test_who_is_the_largest_depends_on_what_may_be_one() -> None:
    looks = np.eye(4, dtype=np.float32)
    graph = boxed(
        ["", "", "", ""],
        [[4 * k, 0, 0] for k in range(4)],
        [[1, 1, k + 1] for k in range(4)],
        looks,
    )
    p = np.array([0.9, 0.8, 0.1, 0.0])
    extreme, rest = extreme_in("tallest lamp")
    assert rest == "lamp" and extreme is not None
    chances = extreme.chances(nodes_of(graph, "objects", "object", Team({})), p)
    np.testing.assert_allclose(chances, [0.9 * 0.2 * 0.9, 0.8 * 0.9, 0.1, 0.0])


def test_why_nothing_is_found_is_told() -> None:
    graph = in_a_row()
    assert "elsewhere: O2" in find(graph, "barrel", where="near the bench").none
    alone = boxed(("bench", "lamp"), [[0, 0, 0], [90, 0, 0]], np.ones((2, 3)))
    assert find(alone, "seat", where="near the lamp").none == (
        "nothing at all in this map is near the lamp"
    )
    assert "nothing in this map" in find(graph, "zebra").none
    assert "did you mean 'barrel'?" in find(graph, "barell rel").none


def test_a_map_in_another_language_is_told_of_in_its_own_words() -> None:
    graph = boxed(("Baum", "Mülleimer"), [[0, 0, 0], [9, 0, 0]], np.ones((2, 3)))
    graph = replace(graph, layers={"objects": replace(graph.objects, features=None)})
    assert find(graph, "Bäume").none.endswith("did you mean 'Baum'?")
    for words in ("Mülleimer", "MÜLLEIMER", "muelleimer"):
        found = find(graph, words)
        assert [hit.symbol for hit in found.hits] == ["O1"]
        assert not any("script" in note for note in found.notes)
    assert any("script" in note for note in find(graph, "Gärten").notes)


def test_where_it_is_may_be_said_behind_it() -> None:
    graph = in_a_row()
    there = symbols(graph, "lamp", "visible from O2")
    for words in ("lamp visible from O2", "the lamp that is visible from the barrel"):
        assert there and symbols(graph, words, "") == there, words
    for words in ("wall near O0", "the wall that's next to the bench", "walls beside bench"):
        assert symbols(graph, words, "") == ["O1"], words
    with pytest.raises(GroundingError, match="no region"):
        find(graph, "a barrel in the bench")
    assert not find(graph, "zebra near O0").hits, "what O0 is was not asked for"
    assert symbols(graph, "something to sit on near O1", "") == ["O0"]
    assert symbols(graph, "something to sit on near O2", "") == []
    whole = ("a bench in red", "bench not near O1", "a lamp that isn't near the wall", "no wall near O0",
             "anything but the lamp, except near O0")  # fmt: skip
    assert [told_where(words) for words in whole] == [(words, "") for words in whole]


def on_a_table() -> SceneGraph:
    """A table with a kettle, a crate under it, a stool beside it, and a kettle on the floor."""
    names = ("table", "kettle", "crate", "stool", "kettle", "lamp")
    at = [[0, 0, 0.4], [0.3, 0, 0.95], [0.1, 0, 0.15], [1.5, 0, 0.2], [3, 0, 0.1], [6, 0, 0.5]]
    sizes = [[1.6, 1, 0.8], [0.2, 0.2, 0.2], [0.4, 0.4, 0.3], [0.4, 0.4, 0.4], [0.2, 0.2, 0.2],
             [0.3, 0.3, 1]]  # fmt: skip
    return boxed(names, at, sizes)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("the kettle on the table", ["O1"]),
        ("kettle standing on top of the table", ["O1"]),
        ("a crate underneath the table", ["O2"]),
        ("the table under O1", ["O0"]),
        ("the kettle that is above the crate", ["O1"]),
        ("stool beside the table", ["O3"]),
        ("kettle between the stool and the lamp", ["O4"]),
        ("the kettle between the crate and the table", []),
        ("the lamp on the table", []),
        ("zebra on the table", []),
        ("zebra under the zebra", []),
        ("something to put things on near the lamp", []),
    ],
)
def test_what_is_on_or_under_something_is_the_head_and_not_what_it_is_on(
    words: str, found: list[str]
) -> None:
    assert symbols(on_a_table(), words, "") == found


def test_a_color_word_tells_things_apart_where_the_map_has_colors() -> None:
    graph = boxed(["crate"] * 3 + ["lamp"], [[4 * k, 0, 0] for k in range(4)], [[1, 1, 1]] * 4)
    colors = ("red", "blue", "", "")
    extras = tuple({"metadata": {"color": c} if c else {}} for c in colors)
    graph = graph.with_layer("objects", replace(graph.objects, extras=extras))
    assert symbols(graph, "red crate", "") == ["O0"]
    assert symbols(graph, "the blue crates near O0", "") == ["O1"]
    (unsure,) = find(graph, "green crate").hits
    assert unsure.symbol == "O2" and "color is not known" in unsure.why
    assert symbols(graph, "red lamp", "") == ["O3"], "of no lamp the color is known"
    assert any("'red' could not be" in note for note in find(graph, "red lamp").notes)


def test_classes_without_words_are_told_and_not_that_nothing_is_there() -> None:
    numbers = boxed(["O(0)", "O(11)"], [[0, 0, 0], [3, 0, 0]], np.ones((2, 3)))
    assert "numbers without words" in find(numbers, "chair").none
    assert "without words" not in find(in_a_row(), "chair").none


def test_no_map_has_a_front_and_what_is_in_front_is_not_guessed() -> None:
    for words in ("stool in front of the table", "the kettle to the left of the stool"):
        with pytest.raises(GroundingError, match="who looks from where"):
            find(on_a_table(), words)
    assert "called 'zebra'" in find(on_a_table(), "zebra behind the table").none
    assert told_where("a sign with a bird on it") == ("a sign with a bird on it", "")


def test_places_of_places_and_wide_gaps_are_read_once() -> None:
    graph, began = in_a_row(), time.monotonic()
    assert symbols(graph, "bench" + " near the wall near the bench" * 6, "") == ["O0"]
    assert not find(graph, "zebra" + " " * 3900 + "near O0").hits
    for words in ("bench near " * 350, "near " * 800):
        with pytest.raises(GroundingError, match="too many"):
            find(graph, words)
    assert time.monotonic() - began < 5.0


def test_a_name_that_begins_as_questions_do_is_found_first() -> None:
    graph = in_a_row()
    objects = replace(graph.objects, names=("", "", "", "my barrel"))
    graph = SceneGraph({"objects": objects}, labelspaces=graph.labelspaces)
    assert find(graph, "my barrel").hits[0].symbol == "O3"


def laptop() -> tuple[SceneGraph, Axes]:
    """Two parts of a laptop that touch, two chairs apart, and a wall that touches the laptop."""
    encoder = Axes("laptop", "chair")
    looks = encoder.words(["laptop", "laptop", "chair", "chair", "wall"], [])
    at = [[0, 0, 0.1], [0, 0.2, 0.3], [4, 0, 0.5], [8, 0, 0.5], [0, 0.6, 1]]
    sizes = [[0.3, 0.3, 0.1], [0.3, 0.1, 0.3], [1, 1, 1], [1, 1, 1], [3, 0.5, 2]]
    return boxed(("a", "b", "c", "d", "e"), at, sizes, looks), encoder


def test_parts_are_joined_where_a_task_needs_the_whole(tmp_path: Path) -> None:
    graph, encoder = laptop()
    file = tmp_path / "tasks.txt"
    file.write_text("# for the office\nlaptop\nchair\n")
    joined, groups = for_tasks(Finder(graph, encoder), read_tasks(file))
    (group,) = groups
    assert group.parts == ("O0", "O1") and group.task == "laptop" and group.probability > 0.9
    assert joined.objects.symbols == ["O0", "O2", "O3", "O4"]
    assert joined.objects.boxes is not None
    assert joined.objects.boxes.sizes[0] == pytest.approx([0.3, 0.4, 0.4])
    assert len(graph.objects) == 5, "the map itself keeps the finest level"


def test_tasks_that_tell_parts_apart_keep_them_apart() -> None:
    encoder = Axes("screen", "keyboard")
    looks = encoder.words(["screen", "keyboard"], [])
    graph = boxed(("a", "b"), [[0, 0, 0], [0, 0.2, 0]], np.full((2, 3), 0.3), looks)
    assert for_tasks(Finder(graph, encoder), ["screen", "keyboard"])[1] == []
    assert for_tasks(Finder(graph, encoder), ["wash the car"])[1] == []


def test_a_file_without_tasks_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text("# none\n\n")
    with pytest.raises(GroundingError, match="holds 0 tasks"):
        read_tasks(file)
    with pytest.raises(GroundingError, match="no such file"):
        read_tasks(tmp_path / "nowhere.txt")


def picture(color: tuple[int, int, int]) -> bytes:
    image = pytest.importorskip("PIL.Image").new("RGB", (24, 24), color)
    out = io.BytesIO()
    image.save(out, "JPEG")
    return out.getvalue()


def doubtful(folder: Path) -> tuple[SceneGraph, Axes, Crops]:
    """Two things that look like a hydrant just as well."""
    encoder = Axes("hydrant")
    graph = boxed(
        ("", ""), [[0, 0, 0], [9, 0, 0]], np.ones((2, 3)), encoder.words(["hydrant"] * 2, [])
    )
    graph = replace(graph, labelspaces={})
    save_crops(
        {f"O{k}": [Crop(picture(c), 1.0, k, 0)] for k, c in enumerate([(255, 0, 0), (0, 0, 255)])},
        folder,
    )
    return graph, encoder, Crops(folder)


def test_a_vision_model_is_shown_both_pictures_and_settles_a_doubt(tmp_path: Path) -> None:
    graph, encoder, crops = doubtful(tmp_path)
    with model_server('{"which": [7]}', '{"which": [2]}') as (address, script):
        witness = Witness(ChatModel(ModelSettings(base_url=address)), crops)
        found = witnessed(find(graph, "hydrant", encoder=encoder), witness)
        assert found.hits[0].symbol == "O1" and "by its picture" in found.hits[0].why
        shown = script.requests[0]["messages"][1]["content"]
        assert [part["type"] for part in shown] == ["text", "image_url", "image_url"]
        asked = len(script.requests)
        assert witnessed(find(graph, "hydrant", encoder=encoder), witness).hits[0].symbol == "O1"
        assert len(script.requests) == asked == 2, "a wrong answer is asked again, a right one kept"


def test_an_instruction_in_doubt_is_settled_by_pictures(tmp_path: Path) -> None:
    graph, encoder, crops = doubtful(tmp_path)
    team = Team({"spot": Robot("spot", np.eye(4), frozenset({"goto", "inspect"}))})
    text = "Spot, inspect the hydrant."
    for answer, expected in ((1, {"spot": "(safe O0)"}), (2, {"spot": "(safe O1)"}), ("", None)):
        with model_server(f'{{"which": [{answer}]}}') as (address, script):
            witness = Witness(ChatModel(ModelSettings(base_url=address)), crops)
            grounder = Grounder(graph, team, encoder=encoder, witness=witness)
            assert grounder.ground(text).goals == expected
            assert grounder.ground(text).goals == expected
            assert len(script.requests) == 1, "asked once, whoever reads the instruction"
    assert Grounder(graph, team, encoder=encoder).ground(text).goals is None


class Painter(Axes):
    """An encoder that names pictures by their color."""

    def picture(self, rgb: Any) -> Floats32:
        word = ("red", "green", "blue")[int(rgb.reshape(-1, 3).mean(axis=0).argmax())]
        return np.asarray(self.words([word], [])[0])


def test_looks_are_made_anew_from_crops_or_refused_with_both_names(tmp_path: Path) -> None:
    from commonground.mapping.perception import picture_of

    graph, _, crops = doubtful(tmp_path)
    encoder = Painter("red", "green", "blue", name="painter")
    with pytest.raises(GroundingError, match="'axes'.*'painter'"):
        find(graph, "red", encoder=encoder)
    anew = seen_anew(graph, crops, encoder, picture_of)
    assert find(anew, "blue", encoder=encoder).hits[0].symbol == "O1"
    with pytest.raises(GroundingError, match="'axes'.*'painter'.*no crops"):
        seen_anew(graph, Crops(tmp_path / "nowhere"), encoder, picture_of)


def test_a_name_that_people_give_is_remembered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = in_a_row()
    regions = Layer.of(REGIONS, node_ids("R", np.arange(1)), np.zeros((1, 3)))
    file = tmp_path / "scene.json"
    save_scene(graph.with_layer("regions", regions, {}), file)
    assert run(["find", str(file), "--call", "R0=the charging bay"]) == 0
    assert load_scene(file).regions.names == ("charging bay",)
    capsys.readouterr()
    assert run(["find", str(file), "charging bay", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["results"][0]["symbol"] == "R0" and answer["model"] == ""
    assert {"symbol", "probability", "label", "crop", "why"} <= set(answer["results"][0])
    assert run(["find", str(file), "unicorn", "--json"]) == 3
    assert "unicorn" in json.loads(capsys.readouterr().out)["reason"], "one object and nothing else"
    for said in ("R0", "R9=dock", "R0=!!"):
        assert run(["find", str(file), "--call", said]) == 1
    with pytest.raises(SceneError):
        load_scene(file).find("R9")


@pytest.mark.parametrize(
    ("symbol", "name"), [("R3", "ferry landing"), ("R2", "ferry landing"), ("O38", "old faithful")]
)
def test_instructions_know_a_name_that_people_give_over_the_one_in_the_file(
    tmp_path: Path, symbol: str, name: str
) -> None:
    file = tmp_path / "scene.json"
    file.write_bytes((files("commonground") / "data/courtyard.json").read_bytes())
    assert run(["find", str(file), "--call", f"{symbol}=the {name}"]) == 0
    graph = load_scene(file)
    team = Team({"spot": Robot("spot", np.eye(4), frozenset({"goto", "inspect"}))})
    goals = Grounder(graph, team).ground(f"Spot, go to the {name}.").goals
    assert goals is not None and f" {symbol})" in goals["spot"]
    assert name in dict(details_of(graph, symbol))["what"]
    layer, row = graph.find(symbol)
    assert graph.proper_names(layer)[row] == name


def test_what_is_left_out_of_a_list_is_counted_and_a_guess_is_called_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scene.json"
    file.write_bytes((files("commonground") / "data/courtyard.json").read_bytes())
    assert run(["find", str(file), "tree", "--top", "4"]) == 0
    said = capsys.readouterr()
    assert "5 more may be meant: --top 9" in said.out and "probability" not in said.out
    assert "nothing in this map" not in said.out
    assert run(["find", str(file), "tree", "--top", "9", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["count"] == 9
    assert run(["find", str(file), "submarine"]) == 0
    assert "is called 'submarine'; what may be one is listed" in capsys.readouterr().out


def test_finding_nothing_is_an_honest_no_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scene.json"
    save_scene(in_a_row(), file)
    assert run(["find", str(file), "barrel", "--where", "near the bench"]) == 3
    assert "elsewhere: O2" in capsys.readouterr().err
    assert run(["find", str(file), "bench", "--where", "behind the lamp"]) == 1
    assert "visible from X" in capsys.readouterr().err


def test_regions_are_called_by_what_is_seen_and_stands_there() -> None:
    encoder = Axes("kitchen", "office")
    regions = Layer.of(
        REGIONS,
        node_ids("R", np.arange(3)),
        np.zeros((3, 3)),
        names=("", "", "charging bay"),
        features=encoder.words(["kitchen", "office", "kitchen"], []),
    )
    named = names_of_regions(in_a_row().with_layer("regions", regions, {}), encoder)
    assert [(n.symbol, n.word) for n in named] == [
        ("R0", "kitchen"), ("R1", "office"), ("R2", "charging bay"),
    ]  # fmt: skip
    assert named[0].probability > 0.9 and named[2].probability == 1
    assert names_of_regions(in_a_row(), encoder) == []


def test_embeddings_of_other_programs_are_read_and_asked_with_the_model_that_is_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Graphs of Clio, Khronos and Hydra have vectors in the same field, and name no model."""
    graph, _ = laptop()
    file = tmp_path / "scene.json"
    save_scene(replace(graph, metadata={}), file)
    features = load_scene(file).objects.features
    assert features is not None and features.shape == (5, 3)
    assert run(["find", str(file), "a", "--json"]) in (0, 3)
    said = capsys.readouterr()
    assert "does not say which model" in said.out + said.err


@pytest.mark.parametrize(
    ("symbol", "name", "text", "goal"),
    [
        ("O15", "flag", "Spot, inspect the flag.", "(safe O15)"),
        ("O15", "piano", "Spot, inspect the piano.", "(safe O15)"),
        ("R4", "parking lot", "Spot, go to the parking lot.", "(visited-region R4)"),
        ("O15", "parking lot", "Spot, go to the parking lot.", "(visited-object O15)"),
    ],
)
def test_a_given_name_comes_before_a_class_that_is_called_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], symbol: str, name: str, text: str, goal: str
) -> None:
    file = tmp_path / "scene.json"
    file.write_bytes((files("commonground") / "data/courtyard.json").read_bytes())
    assert run(["find", str(file), "--call", f"{symbol}={name}"]) == 0
    assert ("is a class of this map" in capsys.readouterr().out) == (name != "piano")
    team = Team({"spot": Robot("spot", np.eye(4), frozenset({"goto", "inspect"}))})
    grounder = Grounder(load_scene(file), team)
    assert grounder.ground(text).goals == {"spot": goal}
    others = grounder.ground(f"Spot, inspect all {name}s.").goals or {}
    assert others.get("spot") != f"(safe {symbol})" or name != "flag"  # not those alone
