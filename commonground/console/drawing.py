"""The map, the robots and the plan in a viser scene: one handle a layer, whatever the number of nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Floats
from commonground.console.drive import Progress
from commonground.console.words import hue
from commonground.robots import Team
from commonground.scene import Mesh, SceneGraph, batches

if TYPE_CHECKING:
    from viser import ViserServer

    from commonground.planning.mission.task import Task

MOST_LABELS = 40
TRAIL = 4000
"""Points of a trail that are kept."""


class MapDrawing:
    """The layers of a map."""

    def __init__(self, server: ViserServer, graph: SceneGraph) -> None:
        self._server, self._scene = server, server.scene
        self.layers: dict[str, list[Any]] = {}
        """Layer → what is shown or hidden with it."""
        self._draw(graph)
        self._aim(server.initial_camera)

    def _aim(self, camera: Any) -> None:
        """Look at all of the map, beside the panel on the right."""
        aim = self.middle + self.width_m * np.array([0.15, -0.08, 0.0])
        at = aim + self.width_m * np.array([-0.05, -0.64, 0.66])
        camera.look_at, camera.position = tuple(aim), tuple(at)

    def redraw(self, graph: SceneGraph) -> None:
        """Show a newer map; what operators hid stays hidden."""
        before, self.layers = self.layers, {}
        self._draw(graph)
        if not before:  # there was nothing to look at so far
            clients = self._server.get_clients().values()
            for camera in (self._server.initial_camera, *(client.camera for client in clients)):
                self._aim(camera)
        names = {handle.name for handles in self.layers.values() for handle in handles}
        for layer, handles in before.items():
            for handle in handles:
                if handle.name not in names:
                    handle.remove()
            for handle in self.layers.get(layer, ()):
                handle.visible = handles[0].visible

    def _draw(self, graph: SceneGraph) -> None:
        self.middle, self.width_m = batches.bounds_of(graph)
        self.regions = batches.regions_of(graph)
        self.crates = batches.crates_of(graph)
        self._fine: Mesh | None = None
        """The mesh in full detail, until browsers have it."""
        self._ground(graph)
        self._areas(graph)
        self._nets(graph)
        self._objects(graph)

    def _ground(self, graph: SceneGraph) -> None:
        if graph.mesh is not None and len(graph.mesh.faces):
            surface = batches.ground_of(graph.mesh, batches.FIRST_TRIANGLES)
            self.layers["mesh"] = [_surface(self._scene, "/map/mesh", surface)]
            if len(surface.faces) < len(graph.mesh.faces):
                self._fine = graph.mesh

    def sharpen(self) -> None:
        """Let browsers have the mesh in full detail, which takes them a while."""
        if self._fine is not None:
            shown = self.layers["mesh"][0].visible
            handle = _surface(self._scene, "/map/mesh", batches.ground_of(self._fine))
            handle.visible = shown
            self.layers["mesh"][0] = handle
            self._fine = None

    @property
    def coarse(self) -> bool:
        """Whether there is more detail than browsers have."""
        return self._fine is not None

    def _areas(self, graph: SceneGraph) -> None:
        surface = batches.areas_of(graph, self.regions)
        if surface is not None:
            self.layers["regions"] = [_surface(self._scene, "/map/regions", surface)]
        labels = [
            self._scene.add_label(
                f"/map/region_names/{k}",
                region.words,
                position=tuple(region.middle + (0, 0, 0.6)),
                anchor="center-center",
                font_screen_scale=0.9,
            )
            for k, region in enumerate(
                sorted(self.regions, key=lambda r: -len(r.places))[:MOST_LABELS]
            )
        ]
        if labels:
            self.layers["region names"] = labels

    def _nets(self, graph: SceneGraph) -> None:
        for name, color in (("surface_places", (80, 90, 105)), ("places", (110, 140, 190))):
            if not graph.has(name):
                continue
            points = graph.layer(name).positions + (0, 0, 2 * batches.LIFT_M)
            handles: list[Any] = [
                self._scene.add_point_cloud(
                    f"/map/{name}/nodes", points.astype(np.float32), color, point_size=0.18,
                    point_shape="circle", precision="float32", visible=False,
                )
            ]  # fmt: skip
            lines = batches.links_of(graph, name) + (0, 0, 2 * batches.LIFT_M)
            if len(lines):
                handles.append(
                    self._scene.add_line_segments(
                        f"/map/{name}/edges", lines.astype(np.float32), color, thickness=0.05,
                        visible=False,
                    )
                )  # fmt: skip
            self.layers[name.replace("_", " ")] = handles

    def _objects(self, graph: SceneGraph) -> None:
        crates = self.crates
        if not len(crates.centers):
            return
        self.layers["objects"] = [
            self._scene.add_batched_meshes_simple(
                "/map/objects", batches.CUBE.astype(np.float32), batches.CUBE_FACES.astype(np.uint32),
                crates.quat_wxyz,
                crates.centers, batched_scales=crates.sizes, batched_colors=crates.colors,
                flat_shading=True, cast_shadow=False, receive_shadow=False,
            )
        ]  # fmt: skip
        words = graph.label_words("objects")
        rows = batches.apart_labels(
            crates.centers, crates.sizes.prod(axis=1), self.width_m / 14, MOST_LABELS
        )
        top = (
            crates.centers + np.c_[np.zeros((len(crates.centers), 2)), crates.sizes[:, 2] / 2 + 0.4]
        )
        self.layers["object names"] = [
            self._scene.add_label(
                f"/map/object_names/{row}", f"{words[row]} {graph.objects.symbols[row]}",
                position=tuple(top[row]), anchor="bottom-center", font_screen_scale=0.7,
                visible=len(rows) <= 25,
            )
            for row in rows.tolist()
        ]  # fmt: skip


class TeamDrawing:
    """Robots with their trails, the plan's ways, and what was chosen."""

    def __init__(self, server: ViserServer, team: Team | None) -> None:
        self._scene = server.scene
        self._bodies: dict[str, tuple[Any, Any]] = {}
        self._said: dict[str, str] = {}
        self._trails: dict[str, list[Floats]] = {}
        self._colors: dict[str, tuple[int, int, int]] = {}
        for robot in team or ():
            self._add(robot.name, max(robot.radius_m, 0.35), robot.position)

    def _add(self, name: str, radius: float, at: Floats) -> None:
        """Draw a robot that was not there before."""
        color = batches.rgb(hue(len(self._bodies)))
        body = self._scene.add_icosphere(
            f"/robots/{name}", radius=1.6 * radius, color=color,
            position=tuple(at + (0, 0, radius)),
        )  # fmt: skip
        label = self._scene.add_label(
            f"/robots/{name}/name", name, position=(0.0, 0.0, 2.2 * radius),
            anchor="bottom-center",
        )  # fmt: skip
        self._bodies[name] = (body, label)
        self._colors[name], self._trails[name] = color, []

    def place(self, progress: Mapping[str, Progress]) -> None:
        """Move the robots to where they are, as far as they know it."""
        for name, found in progress.items():
            if name not in self._bodies:
                if found.status.position is None:
                    continue  # of a live run, and nobody knows where
                self._add(name, 0.35, np.array(found.status.position))
            body, label = self._bodies[name]
            where, known = found.status.position, found.status.localized and found.status.linked
            text = (
                name
                if known
                else f"{name} ({'not localized' if found.status.linked else 'not reached'})"
            )
            if self._said.get(name, name) != text:
                label.text = text
                body.color = self._colors[name] if known else (150, 150, 150)
                self._said[name] = text
            if where is None:
                continue
            at = np.array(where)
            body.position = tuple(at + (0, 0, 0.4))
            trail = self._trails[name]
            if not trail or float(np.linalg.norm(trail[-1] - at)) > 0.3:
                trail.append(at)
                del trail[:-TRAIL]
                if len(trail) > 1:
                    self._line(f"/trails/{name}", np.array(trail), self._colors[name], 0.12)

    def forget(self) -> None:
        """Begin new trails."""
        for name, trail in self._trails.items():
            trail.clear()
            self._scene.remove_by_name(f"/trails/{name}")

    def plan(self, tasks: Sequence[Task]) -> None:
        """Draw the ways of a plan, all of a robot as one."""
        for name, color in self._colors.items():
            lines = [
                np.array(t.path) for t in tasks if t.robot == name and t.moves and len(t.path) > 1
            ]
            pale = tuple(int(0.5 * c + 120) for c in color)
            if lines:
                pairs = np.concatenate([np.stack([x[:-1], x[1:]], axis=1) for x in lines])
                self._scene.add_line_segments(
                    f"/plan/{name}", (pairs + (0, 0, 0.3)).astype(np.float32), pale, thickness=0.3
                )
            else:
                self._scene.remove_by_name(f"/plan/{name}")

    def chosen(self, nodes: Mapping[str, Floats]) -> None:
        """Mark what an instruction is about, by symbol and position."""
        self._scene.remove_by_name("/chosen")
        if not nodes:
            return
        points = np.array(list(nodes.values())).reshape(-1, 3)
        ring = np.linspace(0, 2 * np.pi, 25)
        circle = np.stack([1.4 * np.cos(ring), 1.4 * np.sin(ring), 0 * ring + 0.4], axis=1)
        pairs = np.stack([circle[:-1], circle[1:]], axis=1)
        lines = (points[:, None, None, :] + pairs[None]).reshape(-1, 2, 3)
        self._scene.add_line_segments(
            "/chosen", lines.astype(np.float32), (255, 255, 255), thickness=0.35
        )
        for symbol, point in list(nodes.items())[:MOST_LABELS]:
            self._scene.add_label(
                f"/chosen/{symbol}", symbol, position=tuple(point + (0, 0, 1.2)),
                anchor="bottom-center", font_screen_scale=0.8,
            )  # fmt: skip

    def _line(self, name: str, points: Floats, color: Any, thickness: float) -> None:
        pairs = np.stack([points[:-1], points[1:]], axis=1) + (0, 0, 0.25)
        self._scene.add_line_segments(name, pairs.astype(np.float32), color, thickness=thickness)


def _surface(scene: Any, name: str, surface: batches.Surface) -> Any:
    """Add colored triangles."""
    import trimesh

    mesh = trimesh.Trimesh(
        surface.vertices, surface.faces, vertex_colors=surface.colors, process=False
    )
    return scene.add_mesh_trimesh(name, mesh, cast_shadow=False, receive_shadow=False)
