"""The page's tab of the map: what is known of what somebody clicks or types, and which layers are drawn."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from commonground.console import words
from commonground.console.details import changes_of, details_of
from commonground.console.map_drawing import MapDrawing
from commonground.console.memory_box import MemoryBox
from commonground.console.operators import OwnBox, Shared
from commonground.console.pictures import pictures_of, side_by_side
from commonground.console.station import Station
from commonground.console.team_drawing import TeamDrawing
from commonground.scene.batches import picked, trodden

if TYPE_CHECKING:
    from viser import ViserServer

    from commonground.scene import SceneGraph


class MapTab:
    """Shows one thing at a time, and hides layers."""

    def __init__(
        self,
        server: ViserServer,
        tab: Shared,
        station: Station,
        memory: MemoryBox,
        drawn: tuple[MapDrawing, TeamDrawing],
        notice: Any,
        told: Callable[[Any], AbstractContextManager[None]],
        called: Callable[[str, Any], bool],
    ) -> None:
        """``told`` shows errors; ``called`` does what words say to robots, and returns whether they do."""
        self._gui, self._tab, self._station, self._memory = server.gui, tab, station, memory
        self._map, self._team = drawn
        self._notice, self._told, self._called = notice, told, called
        self._toggles: list[Any] = []
        with tab:
            self._build()
        order = cast(float, self._picture.order) + 0.1
        self._search = OwnBox(server, tab, "Symbol", order)

        def look(event: Any) -> None:
            with told(event):
                self._look(np.array(event.ray_origin), np.array(event.ray_direction))

        server.scene.on_click()(look)

    def redraw(self, graph: SceneGraph) -> None:
        """Show a newer map, with the layers that it has."""
        self._map.redraw(graph)
        with self._tab:
            self._build_layers()

    def _build(self) -> None:
        gui = self._gui
        self._details = gui.add_html(
            words.lines(["Click an object or the ground to see what is known."])
        )
        self._picture = gui.add_image(np.zeros((1, 1, 3), np.uint8), visible=False)
        look = gui.add_button("Show")
        look.on_click(self._show_typed)
        self._build_layers()

    def _build_layers(self) -> None:
        """Offer to show or hide each layer that there is."""
        gui = self._gui
        for old in self._toggles:
            old.remove()
        self._toggles = []
        for name in self._map.layers:
            left_out = self._map.left_out[name]
            label = f"{name} ({left_out})" if left_out else name
            box = gui.add_checkbox(label, self._map.shown[name])

            def toggle(event: Any, name: str = name) -> None:
                self._map.show(name, event.target.value)

            box.on_update(toggle)
            self._toggles.append(box)
        if self._map.coarse:
            sharpen = gui.add_button("Mesh in full detail")

            def sharper(event: Any) -> None:
                sharpen.visible = False
                self._map.sharpen()

            sharpen.on_click(sharper)
            self._toggles.append(sharpen)

    def _look(self, origin: Any, direction: Any) -> None:
        """Show what is known of what was clicked."""
        graph = self._station.graph
        row = picked(self._map.crates, origin, direction)
        if row >= 0:
            return self._show(graph.objects.symbols[row])
        place = trodden(graph, origin, direction)
        if place >= 0 and graph.has("regions"):
            up = int(graph.ancestors("surface_places", "regions")[place])
            if up >= 0:
                self._show(graph.regions.symbols[up])

    def _show_typed(self, event: Any) -> None:
        with self._told(event):
            symbol = self._search.of(event).strip()
            if self._called(symbol, event):
                return
            self._show(symbol)
            if event.client is not None:
                self._map.look_at(event.client.camera, [self._station.graph.position(symbol)])

    def _show(self, symbol: str) -> None:
        """Show what is known of a thing, ring it, and show its pictures."""
        station = self._station
        pictures = pictures_of(station.missions, symbol, station.mapped)
        changes = changes_of(station.missions, symbol)
        facts = self._memory.facts(symbol)
        rows = details_of(station.graph, symbol, facts, station.record, changes)
        rows += [("picture", picture.caption) for picture in pictures]
        self._details.content = words.table(rows)
        self._notice.content = words.table(rows[:3])
        self._team.chosen({symbol: station.graph.position(symbol)})
        self._picture.visible = bool(pictures)
        if pictures:
            self._picture.image = side_by_side(pictures)
