"""Reader of any bag, with topics and extrinsics named in a small YAML beside it."""

from __future__ import annotations

from pathlib import Path

from commonground.datasets.health import Health
from commonground.datasets.readers.bagfiles import bags_below, opened, topics_of
from commonground.datasets.readers.bags import BagReader
from commonground.datasets.readers.layout import BagLayout, layout_file, load_layout
from commonground.errors import DataError
from commonground.names import below

IMAGES = ("sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage")


def recognizes(path: Path) -> bool:
    """Return whether a path is a bag, a folder of bags, or the YAML that describes some."""
    return path.suffix in (".yaml", ".yml") or bool(bags_below(path))


def described(path: Path) -> bool:
    """Return whether a bag has a YAML of its own, which is then believed rather than its topics' names."""
    return path.suffix in (".yaml", ".yml") or (
        bool(bags_below(path)) and layout_file(path) is not None
    )


def open_anybag(path: Path, health: Health | None = None) -> BagReader:
    """Return the reader of a bag described by a YAML: given itself, named after the bag, or ``bag.yaml``."""
    file = path if path.suffix in (".yaml", ".yml") else layout_file(path)
    if file is None:
        raise DataError(_no_yaml(path))
    layout = load_layout(file)
    if layout.bags:
        bags = [below(file.parent, name) for name in layout.bags]
        _about(path, file, bags)
    else:
        bags = bags_below(path if path.suffix not in (".yaml", ".yml") else file.parent)
    if not bags:
        raise DataError(f"{file}: names no bags, and none lie beside it")
    return BagReader(
        path,
        "bag",
        _by_robot(bags, layout),
        layout,
        health=health,
        beside=file.parent,
        notes=[f"topics as named in {file.name}"],
    )


def _about(path: Path, file: Path, bags: list[Path]) -> None:
    """Raise DataError if a YAML that was found, not given, names other bags than the one to be opened."""
    given = path.resolve()
    named = [bag.resolve() for bag in bags]
    if given != file.resolve() and not any(
        bag.is_relative_to(given) or given.is_relative_to(bag) for bag in named
    ):
        names = ", ".join(bag.name for bag in bags[:3])
        raise DataError(
            f"{path}: {file} is about {names}, and not about this bag; it needs a YAML of its own name"
        )


def _by_robot(bags: list[Path], layout: BagLayout) -> dict[str, list[Path]]:
    """Return for each robot the bags that hold any of its topics; all of them where none does."""
    if len(bags) == 1:
        return dict.fromkeys(layout.robots, bags)
    topics = {}
    for bag in bags:
        with opened([bag]) as reader:
            topics[bag] = set(topics_of(reader))
    out = {}
    for robot, about in layout.robots.items():
        wanted = {t for c in about.cameras.values() for t in (c.color, c.depth)}
        out[robot] = [bag for bag in bags if topics[bag] & wanted] or bags
    return out


def _no_yaml(path: Path) -> str:
    bags = bags_below(path)
    with opened(bags[:1]) as reader:
        topics = topics_of(reader)
    images = [
        f"{topic} ({kind.split('/')[-1]}, {n})"
        for topic, (kind, n) in sorted(topics.items())
        if kind in IMAGES
    ]
    name = bags[0].name if bags[0].is_dir() else bags[0].stem
    return (
        f"{path}: a bag needs a YAML that names its topics: {name}.yaml beside it "
        f"(docs/formats.md shows one). Image topics: {', '.join(images) or 'none'}"
    )
