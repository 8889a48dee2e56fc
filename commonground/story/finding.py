"""A map that is asked for things: its graph, its crops, and the encoder that made its looks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.crops import Crop, Crops
from commonground.errors import CommongroundError, SceneError
from commonground.reading import check_speech

if TYPE_CHECKING:
    from commonground.grounding.lookup import AreaName, Findings, Group, Witness
    from commonground.grounding.memory import Memory
    from commonground.mapping.perception.settings import FastSamSettings
    from commonground.mapping.perception.text import LazyEncoder
    from commonground.scene import SceneGraph

FOR_TASKS = "scene_for_tasks.json"
"""Beside the map, which keeps the finest level."""
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
UNNAMED = (
    "this map does not say which model made its embeddings: --looks takes the model that is set"
)
LIKELY_MODELS = {512: "ViT-B-32 or ViT-B-16", 768: "ViT-L-14", 1024: "ViT-H-14"}
"""What open_clip's models that are in use for maps give, by the length of their vectors."""
SIGHT = "visible"
"""What is said of a place that needs the map's mesh."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A map, ready to be asked."""

    file: Path
    graph: SceneGraph
    crops: Crops
    encoder: LazyEncoder | None
    note: str = ""
    """Why looks are not compared, or how they were made."""
    witness: Witness | None = None

    def find(
        self, words: str, *, image: Path | None = None, top: int = 5, where: str = ""
    ) -> Findings:
        """Return what words may mean, or what a picture shows."""
        from commonground.grounding.lookup import find, witnessed
        from commonground.mapping.perception import read_picture

        shown = None
        if image is not None and self.encoder is not None:
            shown = self.encoder.picture(read_picture(image))
        found = find(self.graph, words, encoder=self.encoder, picture=shown, top=top, where=where)
        found = replace(found, notes=tuple(filter(None, [self.note, *found.notes])))
        return found if self.witness is None else witnessed(found, self.witness)

    def for_tasks(self, file: Path) -> tuple[Asked, list[Group]]:
        """Return the map with parts joined as the tasks of a file need it, and what was joined."""
        from commonground.grounding.lookup import Finder, for_tasks, read_tasks

        graph, groups = for_tasks(Finder(self.graph, self.encoder), read_tasks(file))
        return replace(self, graph=graph), groups

    def pictures(self, found: Findings) -> Mapping[str, list[Crop]]:
        return {hit.symbol: self.crops.of(hit.symbol) for hit in found.hits}


def open_map(thing: Path, clip: FastSamSettings, looks: bool | None, said: str = "") -> Asked:
    """Return a map to be asked, by its looks if they are wanted, or where they can be compared.

    What is ``said`` of what is looked for tells whether its mesh is needed.

    With ``looks`` the map's embeddings are made anew from its crops where another model made them; None
    compares them where the map's own model can be had, and says so where it cannot.
    """
    from commonground.mapping import load_meshed
    from commonground.scene import load_scene
    from commonground.scene.locate import scene_file

    file = scene_file(thing)
    graph = (load_meshed if SIGHT in said.lower() else load_scene)(file)
    crops = Crops(file.parent)
    if looks:
        return _by_looks(file, graph, crops, clip)
    if looks is None:
        encoder, note = _own_encoder(graph, clip)
        return Asked(file, graph, crops, encoder, note)
    return Asked(file, graph, crops, None)


def _own_encoder(graph: SceneGraph, clip: FastSamSettings) -> tuple[LazyEncoder | None, str]:
    """Return the encoder that made a map's looks, None with the reason where it cannot be had."""
    from commonground.mapping.perception import encoder_of

    encoder, made_by = encoder_of(graph, clip), graph.metadata.get("embedding_model")
    if not _has_looks(graph):
        return None, ""
    if encoder is None:
        return None, UNNAMED + _likely_model(graph)
    if encoder.name != made_by:
        made = f"its looks were made with '{made_by}', and the model set is '{encoder.name}'"
        if not encoder.is_here():
            return None, f"{made}, which is not on this machine: looks cannot be compared"
        return None, f"{made}: --looks makes them anew from the map's crops"
    try:
        encoder.load()
    except CommongroundError as error:
        return None, str(error)
    return encoder, ""


def _likely_model(graph: SceneGraph) -> str:
    """Say which model a map's vectors may be of, by their length; '' where no usual one is."""
    sizes = {
        layer.features.shape[1] for layer in graph.layers.values() if layer.features is not None
    }
    size = next(iter(sizes), 0)
    if len(sizes) != 1 or size not in LIKELY_MODELS:
        return ""
    return f"; its {size} numbers fit {LIKELY_MODELS[size]} (mapping.perception.fastsam.clip_model)"


def _by_looks(file: Path, graph: SceneGraph, crops: Crops, clip: FastSamSettings) -> Asked:
    from commonground.grounding.lookup.anew import seen_anew
    from commonground.mapping.perception import LazyEncoder, encoder_of, picture_of

    encoder, made_by = (
        encoder_of(graph, clip) or LazyEncoder(clip),
        graph.metadata.get("embedding_model"),
    )
    if made_by and made_by != encoder.name and _has_looks(graph):
        graph = seen_anew(graph, crops, encoder, picture_of)
        return Asked(file, graph, crops, encoder, f"looks were made anew with '{encoder.name}'")
    return Asked(file, graph, crops, encoder)


def _has_looks(graph: SceneGraph) -> bool:
    return any(layer.features is not None for layer in graph.layers.values())


def name_regions(asked: Asked) -> list[AreaName]:
    """Return what the regions of a map may be called, with how likely that is."""
    from commonground.errors import GroundingError
    from commonground.grounding.lookup import names_of_regions

    if asked.encoder is None:
        reason = asked.note or "this map keeps no embeddings of what was seen"
        raise GroundingError(f"regions are named by looks: {reason}")
    return names_of_regions(asked.graph, asked.encoder)


def write_for_tasks(folder: Path, tasks: Path | None, clip: FastSamSettings) -> str:
    """Write a map with parts joined as tasks need it beside the map itself; return what to say of it."""
    from commonground.scene import save_scene

    if tasks is None:
        return ""
    joined, groups = open_map(folder, clip, None).for_tasks(tasks)
    file = save_scene(joined.graph, joined.file.with_name(FOR_TASKS))
    listed = "; ".join(f"{' '.join(g.parts)} for '{g.task}'" for g in groups[:5])
    return f"{file}: {len(groups)} things of several parts{f' ({listed})' if listed else ''}"


def call(
    thing: Path, said: str, memory: Memory | None = None
) -> tuple[str, str, str | None, tuple[str, ...]]:
    """Remember in a map's file, and in a memory, what people call a node: ``O3=charging bay``.

    Returns symbol, name, the memory's thing for it, and the other nodes whose class is called so.
    """
    from commonground.grounding.memory import call_thing
    from commonground.scene import load_scene, save_scene
    from commonground.scene.locate import scene_file

    symbol, _, name = (part.strip() for part in said.partition("="))
    if not symbol or not any(c.isalnum() for c in name):
        raise SceneError(f"'{said}': say which node is called what, such as 'R3=charging bay'")
    check_speech(name)
    if not name.isprintable():
        raise SceneError(f"{name!a:.60}: a name has letters that can be shown")
    file = scene_file(thing)
    graph = load_scene(file)
    layer, row = graph.find(symbol)
    name = _ARTICLE.sub("", " ".join(name.split()))
    known = None if memory is None else call_thing(memory, graph, symbol, name)
    save_scene(graph.with_layer(layer, graph.layer(layer).renamed(row, name)), file)
    words = {key: graph.label_words(key) for key in ("objects", "regions") if graph.has(key)}
    alike = (graph.layer(k).symbols[i] for k, own in words.items() for i, word in enumerate(own)
             if word.replace("_", " ").casefold() == name.casefold())  # fmt: skip
    return symbol, name, known, tuple(other for other in alike if other != symbol)
