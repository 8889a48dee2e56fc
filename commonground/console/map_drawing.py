"""The map in viser scenes: one handle a layer, sent to a page once that can be used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Floats
from commonground.scene import Mesh, SceneGraph, batches
from commonground.scene.glb import glb_bytes
from commonground.scene.gone import without_gone

if TYPE_CHECKING:
    from viser import ViserServer

MOST_LABELS = 100
"""As many as have room beside each other on a square map."""
FEW_LABELS = 25
"""Names of objects are shown from the start where they are no more."""
OVER_M, VEIL = 0.2, 0.5
"""Regions are drawn so far above a mesh, and so dense, that it is seen through them."""
NEAR = 0.98
"""How far the camera stands at first; at 1 all of a square map is seen, with room around it."""
ROOM, LEAST_VIEW_M = 1.9, 15.0
"""How much is seen around what is looked at, and at least how many meters."""
NAMES_BESIDE = 11
"""Names that have room beside each other."""
LAYERS = ("mesh", "regions", "region names", "objects", "object names", "surface places", "places")
"""In the order in which operators look for them."""

Painter = Callable[[Any], list[Any]]
"""Adds a layer to a scene and returns its handles."""


class MapDrawing:
    """The layers of a map, in each browser.

    A browser gets them when it shows the page, the heaviest last: what is broadcast would come before it.
    """

    def __init__(self, server: ViserServer, graph: SceneGraph) -> None:
        self._server = server
        self._lock = threading.RLock()
        self._painters: dict[str, Painter] = {}
        self._views: dict[int, dict[str, list[Any]]] = {}
        """Browser → layer → what it shows of it."""
        self.shown: dict[str, bool] = {}
        """Layer → whether it is shown, in all browsers."""
        self.left_out: dict[str, str] = {}
        """Layer → of how many names only how many have room; none where all have."""
        self._fine: Mesh | None = None
        """The mesh in full detail, until browsers have it."""
        _light(server.scene)
        self._plan(graph)
        self._aim(server.initial_camera)
        server.on_client_connect(self._enter)
        server.on_client_disconnect(self._leave)

    def redraw(self, graph: SceneGraph) -> None:
        """Show a newer map; what operators hid stays hidden."""
        with self._lock:
            empty = not self._painters
            self._plan(graph)
            clients = self._server.get_clients()
            for number in self._views:
                if number in clients:
                    self._paint(clients[number])
        if empty:  # there was nothing to look at so far
            for camera in (self._server.initial_camera, *(c.camera for c in clients.values())):
                self._aim(camera)

    def show(self, layer: str, visible: bool) -> None:
        with self._lock:
            self.shown[layer] = visible
            for view in self._views.values():
                for handle in view.get(layer, ()):
                    handle.visible = visible

    def sharpen(self) -> None:
        """Let browsers have the mesh in full detail, which takes them a while."""
        with self._lock:
            if self._fine is None:
                return
            self._painters["mesh"] = _surface("/map/mesh", batches.ground_of(self._fine))
            self._fine = None
            clients = self._server.get_clients()
            for number, view in self._views.items():
                if number in clients:
                    self._layer(clients[number], view, "mesh")

    @property
    def coarse(self) -> bool:
        """Whether there is more detail than browsers have."""
        return self._fine is not None

    @property
    def layers(self) -> list[str]:
        return sorted(self._painters, key=lambda layer: LAYERS.index(layer))

    # ---- browsers ----

    def _enter(self, client: Any) -> None:
        with self._lock:
            self._views[client.client_id] = {}
            self._paint(client)

    def _leave(self, client: Any) -> None:
        with self._lock:
            self._views.pop(client.client_id, None)

    def _paint(self, client: Any) -> None:
        """Let a browser show the map, and nothing of an older one."""
        view = self._views[client.client_id]
        before = {handle.name: handle for handles in view.values() for handle in handles}
        view.clear()
        for layer in self._painters:
            self._layer(client, view, layer)
        names = {handle.name for handles in view.values() for handle in handles}
        for name, handle in before.items():
            if name not in names:
                handle.remove()

    def _layer(self, client: Any, view: dict[str, list[Any]], layer: str) -> None:
        with client.atomic():
            view[layer] = self._painters[layer](client.scene)
            if not self.shown[layer]:
                for handle in view[layer]:
                    handle.visible = False
        client.flush()

    def look_at(self, camera: Any, points: Sequence[Floats]) -> None:
        """Let one browser see some points of the map, with room around them."""
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        wide_m = min(max(ROOM * float(np.max((high - low)[:2])), LEAST_VIEW_M), self.width_m)
        _stand(camera, (low + high) / 2, wide_m)

    def _aim(self, camera: Any) -> None:
        """Look at all of the map."""
        _stand(camera, self.middle, self.width_m)

    # ---- layers ----

    def _plan(self, graph: SceneGraph) -> None:
        """Prepare what browsers get of a map."""
        graph = without_gone(graph)
        self.middle, self.width_m = batches.bounds_of(graph)
        self.regions = batches.regions_of(graph)
        self.crates = batches.crates_of(graph)
        self._fine = None
        self._painters = {}
        self._gap_m = self.width_m / NAMES_BESIDE
        self._named = np.empty((0, 3))
        """Where names of regions stand, which those of objects keep clear of."""
        self._areas(graph)
        self._objects(graph)
        self._ground(graph)
        self._nets(graph)

    def _offer(self, layer: str, paint: Painter, visible: bool = True, left_out: str = "") -> None:
        self._painters[layer] = paint
        self.left_out[layer] = left_out
        self.shown.setdefault(layer, visible)

    def _areas(self, graph: SceneGraph) -> None:
        surface = batches.areas_of(graph, self.regions)
        if surface is not None:
            over = graph.mesh is not None and len(graph.mesh.faces) > 0
            if over:  # what is seen through it lies below, on all but steep ground
                surface = surface._replace(vertices=surface.vertices + (0.0, 0.0, OVER_M))
            self._offer("regions", _surface("/map/regions", surface, VEIL if over else 1.0))
        if self.regions:
            at = np.array([r.middle for r in self.regions])
            sizes = np.array([len(r.places) for r in self.regions], float)
            rows = batches.apart_labels(at, sizes, self._gap_m, MOST_LABELS).tolist()
            self._named = at[rows]
            named = [self.regions[row] for row in rows]
            left_out = _left_out(len(named), len(self.regions))
            self._offer("region names", partial(_region_names, named), left_out=left_out)

    def _objects(self, graph: SceneGraph) -> None:
        crates = self.crates
        if not len(crates.centers):
            return
        self._offer("objects", _surface("/map/objects", batches.boxes_apart(crates)))
        called, symbols = graph.titles("objects"), graph.objects.symbols
        rows = batches.apart_labels(
            crates.centers, crates.sizes.prod(axis=1), self._gap_m, MOST_LABELS, self._named
        ).tolist()
        top = crates.centers.copy()
        top[:, 2] += crates.sizes[:, 2] / 2 + 0.4
        names = [(symbols[row], f"{called[row]} {symbols[row]}", tuple(top[row])) for row in rows]
        left_out = _left_out(len(names), len(symbols))
        few = len(names) <= FEW_LABELS
        self._offer("object names", partial(_object_names, names), few, left_out)

    def _ground(self, graph: SceneGraph) -> None:
        if graph.mesh is not None and len(graph.mesh.faces):
            surface = batches.ground_of(graph.mesh, batches.FIRST_TRIANGLES)
            self._offer("mesh", _surface("/map/mesh", surface))
            if len(surface.faces) < len(graph.mesh.faces):
                self._fine = graph.mesh

    def _nets(self, graph: SceneGraph) -> None:
        lift = (0, 0, 2 * batches.LIFT_M)
        for name, color in (("surface_places", (80, 90, 105)), ("places", (110, 140, 190))):
            if graph.has(name):
                points = (graph.layer(name).positions + lift).astype(np.float32)
                lines = (batches.links_of(graph, name) + lift).astype(np.float32)
                self._offer(
                    name.replace("_", " "), partial(_net, name, points, lines, color), False
                )


def _left_out(named: int, of_all: int) -> str:
    return f"{named} of {of_all} have room" if named < of_all else ""


def _stand(camera: Any, middle: Floats, wide_m: float) -> None:
    """Look from the south at so much of the map, beside the panel on the right."""
    aim = middle + wide_m * np.array([0.15, -0.08, 0.0])
    at = aim + NEAR * wide_m * np.array([-0.05, -0.64, 0.66])
    camera.look_at, camera.position = tuple(aim), tuple(at)


def _light(scene: Any) -> None:
    """Turn lights off: they are painted into colors, and without a graphics card cost more than all else."""
    scene.configure_default_lights(enabled=False, cast_shadow=False)
    scene.configure_environment_map(None)


def _surface(name: str, surface: batches.Surface, alpha: float = 1.0) -> Painter:
    """Return what adds colored triangles; they are made ready once, for all browsers."""
    found = batches.shaded(surface)
    data = glb_bytes(
        found.vertices, found.colors, found.faces, turned=False, lit=False, alpha=alpha
    )
    return lambda scene: [scene.add_glb(name, data, cast_shadow=False, receive_shadow=False)]


def _region_names(regions: list[batches.Region], scene: Any) -> list[Any]:
    return [
        scene.add_label(
            f"/map/region_names/{k}", region.words, position=tuple(region.middle + (0, 0, 0.6)),
            anchor="center-center", font_screen_scale=0.9,
        )
        for k, region in enumerate(regions)
    ]  # fmt: skip


def _object_names(names: list[tuple[str, str, Any]], scene: Any) -> list[Any]:
    return [
        scene.add_label(
            f"/map/object_names/{symbol}", words, position=at, anchor="bottom-center",
            font_screen_scale=0.7,
        )
        for symbol, words, at in names
    ]  # fmt: skip


def _net(name: str, points: Any, lines: Any, color: tuple[int, int, int], scene: Any) -> list[Any]:
    """Add places and the ways between them."""
    handles = [
        scene.add_point_cloud(
            f"/map/{name}/nodes", points, color, point_size=0.18, point_shape="circle",
            precision="float32",
        )
    ]  # fmt: skip
    if len(lines):
        handles.append(scene.add_line_segments(f"/map/{name}/edges", lines, color, thickness=0.05))
    return handles
