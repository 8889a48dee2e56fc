"""Settings: what is wrong is told with file, line and the nearest known name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from commonground.config import load_config, to_yaml, validated
from commonground.errors import ConfigError
from commonground.live.team.settings import LiveTeam
from commonground.robots import RobotsFile
from commonground.settings import Settings
from commonground.story.config import Config
from commonground.story.spec import Story


class Framed(Settings):
    at: tuple[float, float, float]
    """East, north
    and up."""


class Inner(Settings):
    voxel_size_m: float = Field(0.1, gt=0)
    """Edge of a voxel."""
    name: str = "x"


class Outer(Settings):
    mapping: Inner = Inner()
    robots: dict[str, Inner] = {}
    steps: list[int] = []
    fast: bool = False


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "config.yaml"
    file.write_text(text)
    return file


def test_a_list_that_is_too_short_says_once_what_its_values_are(tmp_path: Path) -> None:
    class Many(Settings):
        frames: dict[str, Framed]

    file = written(tmp_path, "frames:\n  one:\n    at: [6]\n")
    with pytest.raises(ConfigError) as told:
        load_config(Many, file)
    said = "'frames.one.at': needs more values than [6]: East, north and up"
    assert str(told.value) == f"{file}:3: {said}"


def test_order_is_defaults_then_file_then_overrides(tmp_path: Path) -> None:
    file = written(tmp_path, "mapping:\n  voxel_size_m: 0.2\n  name: file\n")
    config = load_config(Outer, file, ["mapping.voxel_size_m=0.3", "fast=true", "steps=[1, 2]"])
    assert (config.mapping.voxel_size_m, config.mapping.name, config.fast) == (0.3, "file", True)
    assert config.steps == [1, 2]
    assert load_config(Outer) == Outer()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "mapping:\n  voxel_sizze_m: 1\n",
            r"config.yaml:2: unknown setting 'mapping.voxel_sizze_m'. Did you mean 'voxel_size_m'",
        ),
        ("maping: {}\n", r"config.yaml:1: unknown setting 'maping'. Did you mean 'mapping'"),
        (
            "fast: true\n\nmapping:\n  voxel_size_m: -1\n",
            r"config.yaml:4: 'mapping.voxel_size_m': input should be greater than 0, not -1",
        ),
        ("mapping:\n  voxel_size_m: .nan\n", r"config.yaml:2: .*finite"),
        (
            "robots:\n  spot:\n    voxel_sise_m: 1\n",
            r"config.yaml:3: .*Did you mean 'voxel_size_m'",
        ),
        ("steps: [1, x]\n", r"config.yaml:1: 'steps.1'"),
        ("mapping: [\n", r"config.yaml:2:1: not valid YAML"),
        ("- 1\n", "a table of settings is needed"),
        ("zzz: 1\n", "unknown setting 'zzz'. Known here: fast, mapping, robots, steps"),
    ],
)
def test_mistakes_are_found_where_they_stand(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        load_config(Outer, written(tmp_path, text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("mapping.voxel_size=1", "--set mapping.voxel_size=1: unknown setting.*'voxel_size_m'"),
        ("mapping", "section.name=value"),
        ("=1", "section.name=value"),
        ("fast.deep=1", "'fast'"),
        ("steps=[", "YAML"),
    ],
)
def test_wrong_overrides(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(Outer, None, [override])


def test_a_value_is_no_section(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a value, not a section"):
        load_config(Outer, written(tmp_path, "fast: true\n"), ["fast.deep=1"])


def test_a_missing_file_names_the_nearest(tmp_path: Path) -> None:
    written(tmp_path, "")
    with pytest.raises(ConfigError, match=r"Did you mean 'config.yaml'"):
        load_config(Outer, tmp_path / "confg.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read|YAML"):
        load_config(Outer, tmp_path / "binary.yaml")


@given(
    st.floats(0.01, 10),
    st.text(max_size=8),
    st.booleans(),
    st.lists(st.integers(-9, 9), max_size=3),
)
def test_saved_settings_are_a_valid_config(
    tmp_path_factory: pytest.TempPathFactory, voxel: float, name: str, fast: bool, steps: list[int]
) -> None:
    config = Outer(mapping=Inner(voxel_size_m=voxel, name=name), fast=fast, steps=steps)
    file = tmp_path_factory.mktemp("c") / "config.yaml"
    file.write_text(to_yaml(config))
    assert load_config(Outer, file) == config


def models_in(annotation: Any) -> set[type[BaseModel]]:
    """Return a model and those that its fields hold, or those that a type is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        inner = (field.annotation for field in annotation.model_fields.values())
        return {annotation}.union(*map(models_in, inner))
    return set().union(*map(models_in, get_args(annotation)))


def test_every_count_in_settings_has_a_bound() -> None:
    numbers, endless = 0, []
    for model in set().union(*map(models_in, (Config, Story, LiveTeam, RobotsFile))):
        for name, field in model.model_fields.items():
            if int in (field.annotation, *get_args(field.annotation)):
                numbers += 1
                ends = {type(bound).__name__[0] for bound in field.metadata}
                if not {"G", "L"} <= ends:
                    endless.append(f"{model.__name__}.{name}")
    assert numbers > 50
    assert endless == []


def test_a_list_with_a_wrong_entry_is_not_called_too_short_as_well(tmp_path: Path) -> None:
    class Row(Settings):
        x: int

    class Table(Settings):
        rows: tuple[Row, ...] = Field(min_length=1)

    with pytest.raises(ConfigError) as caught:
        validated(Table, {"rows": [{"x": "y"}]}, {}, "a.yaml")
    assert "rows.0.x" in str(caught.value) and "at least" not in str(caught.value)
    with pytest.raises(ConfigError, match="needs at least 1 of them"):
        validated(Table, {"rows": []}, {}, "a.yaml")


def test_every_setting_has_a_meaning_in_the_schema() -> None:
    models = [Config.model_json_schema(), *Config.model_json_schema()["$defs"].values()]
    bare = {
        f"{model['title']}.{name}"
        for model in models
        for name, field in model["properties"].items()
        if "description" not in field and "$ref" not in field
    }
    assert not bare


def test_a_name_of_another_unit_is_no_slip_of_the_pen(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as told:
        load_config(Outer, written(tmp_path, "mapping:\n  voxel_size_cm: 20\n"))
    assert "takes m and not cm: the numbers change" in str(told.value)
    assert "Did you mean" not in str(told.value)
    with pytest.raises(ConfigError, match="Did you mean 'voxel_size_m'"):
        load_config(Outer, written(tmp_path, "mapping:\n  voxl_size_m: 0.2\n"))


def test_what_a_table_holds_is_said_where_an_entry_is_wrong(tmp_path: Path) -> None:
    class Counted(Settings):
        frames: dict[str, int]
        """Robot and how many, as {spot: 12}."""

    for text in ("frames: {spot: 12 frames}", "frames: [spot]"):
        with pytest.raises(ConfigError, match=r"as \{spot: 12\}"):
            load_config(Counted, written(tmp_path, text))
