"""Segments without weights: surfaces from depth, joined where they meet convexly, apart from the ground.

Pixels become smooth patches; patches are ground, walls, or parts of things; parts that touch without a
concave crease between them are one thing (Stein et al., "Object Partitioning using Local Convexity",
CVPR 2014, on patches of an organized depth image instead of supervoxels). No class names come of it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
from commonground.errors import MappingError
from commonground.frame import Frame, Intrinsics
from commonground.mapping.depth_pieces import DepthNoise
from commonground.mapping.perception.descriptor import MODEL, color_descriptors
from commonground.mapping.perception.patches import (
    AREA,
    HIGH,
    LOW,
    PIXELS,
    Surfaces,
    mean_normals,
    thickness,
)
from commonground.mapping.perception.roles import (
    FLAT_M,
    GROUND_TILT_DEG,
    TOP,
    WALL,
    WALL_TILT_DEG,
    roles_of,
)
from commonground.mapping.perception.segments import NO_SURFACE, FrameSegments, Looks
from commonground.mapping.perception.settings import ClassicalSettings
from commonground.mapping.perception.standing import FREE, MOST_M, off_tops, standing
from commonground.mapping.perception.upright import upright_turn
from commonground.scene.parts import connected

REDUCE = 2
"""Depth is segmented at its size divided by this."""
NORMAL_WINDOW_M = 0.12
"""Normals are measured across about this much."""
PATCH_BEND_DEG = 8.0
"""Neighboring pixels of one patch turn less than this."""
WINDOW_BEND_DEG = 40.0
"""A surface that turns more than this across the window of its normals has a crease there."""
LEAST_PATCH_PX = 30
"""Smaller patches are rough surface."""
CREASE_DEG = 20.0
"""A concave bend of more than this between two surfaces separates things."""
SUPPORT_RATIO = 3.0
"""A plane this many times larger than the squared contact carries a thing and is no part of it."""
LEAST_CONTACT_PX = 4
"""Patches with a shorter common border do not touch."""
UPRIGHT_SHARE = 0.6
"""Of the room itself at least this share is upright and flat."""
CARRIER_M2 = 0.1
"""A surface that carries flat things has so much in view."""
FLAT_M2 = (0.006, 0.25)
"""The least and the most that a flat thing on a surface covers."""
FLAT_FILL = 0.5
"""Share of its outline, as a rectangle, that a flat thing fills at least."""
LOOK_DEG, LOOK_S = 0.8, 0.3
REGAIN_PX = 6
"""Patches grow back this far into the creases between them."""


class ClassicalPerception:
    """Things, ground and walls from depth and color; needs no weights and knows no names."""

    name: str = "classical"
    vocabulary: tuple[str, ...] = ()
    surface_words: tuple[str, ...] = ("ground", "wall")
    embedding_model: str = MODEL

    def __init__(self, settings: ClassicalSettings | None = None) -> None:
        self.settings = settings or ClassicalSettings()
        s = self.settings
        self.looks = Looks(s.look_m, LOOK_DEG, LOOK_S)
        self._noise = DepthNoise(s.noise_m, s.noise_growth, 0.0)

    def segment(self, frame: Frame) -> FrameSegments:
        """Return the things in a frame, and which pixels are ground or wall."""
        surfaces = self._surfaces(frame)
        role = roles_of(surfaces, self.settings)
        stood = np.zeros(surfaces.depth.shape, np.int32)
        if self.settings.flat_things:
            surfaces, role, stood = self._on_planes(surfaces, role)
        things = self._things(surfaces, role)
        if self.settings.flat_things:
            things = self._apart(things, surfaces, stood)
        structure = self._structure(surfaces, things) & ~_mostly(stood == FREE, things)
        if self.settings.flat_things:
            structure |= self._under_tops(surfaces, role, things)
        role[np.unique(surfaces.patches[structure[things]])] = WALL
        role[0] = NO_SURFACE
        keep = np.where(structure, 0, self._sizeable(surfaces, things, stood))
        _, keep = np.unique(keep, return_inverse=True)
        things = keep.astype(np.int32)[things]
        if self.settings.most_hidden < 1:
            things = self._not_behind(things, surfaces)
        solid = int(things.max(initial=0))
        if self.settings.flat_things:
            things = self._with_flat(things, surfaces, frame)
        masks = self._enlarged(things, surfaces, frame)
        k = int(things.max(initial=0))
        return FrameSegments(
            masks=masks,
            scores=np.ones(k, np.float32),
            embeddings=color_descriptors(frame, masks, k),
            label_scores=np.empty((k, 0), np.float32),
            embedding_model=self.embedding_model,
            surfaces=self._surface_image(surfaces, role, frame),
            surface_words=self.surface_words,
            flat=np.arange(k) >= solid,
            unsure=self._enlarged((stood > 0) & (things == 0), surfaces, frame) > 0,
        )

    # ---- steps ----

    def _surfaces(self, frame: Frame) -> Surfaces:
        """Reduce and smooth the depth image, and cut it into patches of slowly turning normals."""
        from commonground.mapping.perception import _geometry

        s, camera = self.settings, frame.camera
        h, w = camera.height // REDUCE, camera.width // REDUCE
        if h < 8 or w < 8:
            raise MappingError(
                f"images of {camera.width}×{camera.height} are too small to segment by geometry"
            )
        K = camera.scaled(1 / REDUCE).intrinsics
        # from pixel to pixel the depth of a slanted surface changes by this share of it
        self._noise = self._noise._replace(slant=s.slant / min(K.fx, K.fy))
        reduced, depth = np.empty((h, w), np.float32), np.empty((h, w), np.float32)
        _geometry.shrink(frame.depth_m, REDUCE, s.near_m, s.far_m, self._noise, reduced)
        _geometry.smooth(reduced, self._noise, 1, 2, depth)
        normal = np.empty((h, w, 3), np.float32)
        _geometry.normals(depth, K, self._noise, NORMAL_WINDOW_M, normal)
        patches = self._patches(depth, normal, K)
        T_level_cam = np.ascontiguousarray(frame.T_odom_cam)
        sums = self._sums(patches, depth, normal, K, T_level_cam)
        turn = upright_turn(sums, frame.T_odom_cam, np.cos(np.deg2rad(GROUND_TILT_DEG)))
        if turn is not None:
            T_level_cam = np.ascontiguousarray(turn @ frame.T_odom_cam)
            sums = self._sums(patches, depth, normal, K, T_level_cam)
        return Surfaces(depth, normal, patches, sums, K, T_level_cam)

    def _sums(
        self, pieces: Ints32, depth: Floats32, normal: Floats32, K: Intrinsics, T_level_cam: Floats
    ) -> Floats:
        from commonground.mapping.perception import _geometry

        sums = np.zeros((int(pieces.max(initial=0)) + 1, 20))
        _geometry.piece_moments(pieces, depth, normal, K, T_level_cam, sums)
        return sums

    def _patches(self, depth: Floats32, normal: Floats32, K: Intrinsics) -> Ints32:
        """Return smooth patches, and behind them in number the rough rest in pieces without depth edges."""
        from commonground.mapping.perception import _creases, _geometry

        parent = np.empty(depth.size, np.int32)
        cos = float(np.cos(np.deg2rad(PATCH_BEND_DEG)))
        bend = float(np.cos(np.deg2rad(WINDOW_BEND_DEG)))
        even = np.empty_like(normal)
        _creases.without_creases(depth, normal, K.fx, self._noise, NORMAL_WINDOW_M, bend, even)
        _geometry.plane_pieces(depth, even, K, self._noise, cos, parent)
        patches, rough = np.empty(depth.shape, np.int32), np.empty(depth.shape, np.int32)
        there = np.isfinite(depth)
        count = _geometry.number_pieces(
            there & np.isfinite(even[..., 0]), parent, LEAST_PATCH_PX, patches
        )
        _creases.grow(patches, depth, there, self._noise, REGAIN_PX)
        rest = there & (patches == 0)
        _geometry.rough_pieces(depth, rest, self._noise, parent)
        _geometry.number_pieces(rest, parent, LEAST_PATCH_PX, rough)
        return np.where(rough > 0, rough + count, patches).astype(np.int32)

    def _things(self, surfaces: Surfaces, role: Ints32) -> Ints32:
        """Return the label image of things: patches joined where they meet without a concave crease."""
        from commonground.mapping.perception import _geometry

        s = self.settings
        parts = np.where(role[surfaces.patches] == NO_SURFACE, surfaces.patches, 0).astype(np.int32)
        contacts = np.empty((2 * parts.size, 4), np.int32)
        crease = 1 - float(np.cos(np.deg2rad(CREASE_DEG)))
        count = _geometry.borders(
            parts, surfaces.depth, surfaces.normal, surfaces.K, self._noise, crease, contacts
        )
        pairs = self._joined(contacts[:count], self._near(parts, surfaces, s.near_m_gap), surfaces)
        # patch 0 has no contacts, so its group is its own, and the first
        return connected(len(role), pairs).astype(np.int32)[parts]

    def _near(self, parts: Ints32, surfaces: Surfaces, gap_m: float) -> Ints32:
        """Return the pairs (m, 2) of patches that come so near to one another in space."""
        from commonground.mapping.perception import _near

        near = np.empty((parts.size, 2), np.int32)
        size = 1 << int(np.ceil(np.log2(2 * parts.size)))
        keys, owner = np.full(size, -1, np.int64), np.empty(size, np.int32)
        found = _near.neighbors(parts, surfaces.depth, surfaces.K, gap_m, keys, owner, near)
        return near[:found]

    def _apart(self, things: Ints32, surfaces: Surfaces, stood: Ints32) -> Ints32:
        """Return things with what stands on them, and with rows on a ledge, taken apart."""
        from commonground.mapping.perception.ledges import apart
        from commonground.mapping.perception.planes import level_points

        least_px = self.settings.least_px // REDUCE**2
        if self.settings.standing:
            things = off_tops(things, surfaces, stood, least_px)
        return apart(things, level_points(surfaces)[..., 2], least_px)

    def _under_tops(self, surfaces: Surfaces, role: Ints32, things: Ints32) -> Bools:
        """Return which things (k + 1,) are parts of a table or a counter: legs, edges."""
        from commonground.mapping.perception.planes import BESIDE_M, under_tops

        sums = self._sums(things, surfaces.depth, surfaces.normal, surfaces.K, surfaces.T_level_cam)
        parts = np.where((things > 0) | (role[surfaces.patches] == TOP), surfaces.patches, 0)
        near = self._near(parts.astype(np.int32), surfaces, BESIDE_M)
        return under_tops(things, sums, surfaces, role, near)

    def _joined(self, contacts: Ints32, near: Ints32, surfaces: Surfaces) -> Ints:
        """Return the pairs of patches (m, 2) that are one thing: those that touch, or nearly so.

        But not if they meet in a concave crease and one is a level or upright plane much wider than the
        contact: a table carries the mug, a wall the shelf.
        """
        sums = surfaces.sums
        both = np.concatenate([contacts[:, :2], near])
        if len(both) == 0:
            return np.empty((0, 2), np.int64)
        pairs, place = np.unique(both, axis=0, return_inverse=True)
        touch, close = np.split(place.ravel(), [len(contacts)])
        length = np.bincount(touch, minlength=len(pairs))
        concave = np.bincount(touch, contacts[:, 2] == 1, len(pairs)) >= 0.5 * length
        cells = np.bincount(close, minlength=len(pairs))
        pixels = np.maximum(sums[:, PIXELS], 1)
        pixel_m = np.sqrt(np.maximum(sums[:, AREA], 1e-6) / pixels)
        contact_m = np.maximum(length, LEAST_CONTACT_PX) * pixel_m[pairs].min(axis=1)
        plane_m2 = self._carrying(sums, pairs)
        carried = (concave | (length == 0)) & (plane_m2 >= SUPPORT_RATIO * contact_m**2)
        good = ((length >= LEAST_CONTACT_PX) | (cells >= 2)) & ~carried
        return np.asarray(pairs[good], np.int64)

    def _carrying(self, sums: Floats, pairs: Ints) -> Floats:
        """Return the area (m,) of the plane that carries the other of each pair, 0 if neither does.

        A level plane carries what is on it; an upright one what hangs on it, clear of its foot: a wheel is
        a part of the car.
        """
        s = self.settings
        tilt, flat = mean_normals(sums)[:, 2], thickness(sums) < FLAT_M
        level = flat & (tilt > np.cos(np.deg2rad(GROUND_TILT_DEG)))
        upright = flat & (np.abs(tilt) < np.sin(np.deg2rad(WALL_TILT_DEG)))
        upright &= sums[:, AREA] > 0.4 * s.wall_m2
        foot = sums[:, LOW][:, 2]
        out = np.zeros(len(pairs))
        for plane, thing in (pairs.T, pairs.T[::-1]):
            carries = level[plane] | (upright[plane] & (foot[thing] > foot[plane] + 0.2))
            out = np.maximum(out, np.where(carries, sums[plane, AREA], 0.0))
        return out

    def _structure(self, surfaces: Surfaces, things: Ints32) -> Bools:
        """Return which things (k + 1,) are the room itself: upright, wide, and running out of the image.

        Close by, a wall and the front of a counter that meets it are in view as one piece of both, at no
        place large enough for a wall.
        """
        s, sums, count = self.settings, surfaces.sums, int(things.max(initial=0)) + 1
        upright = np.abs(mean_normals(sums)[:, 2]) < np.sin(np.deg2rad(WALL_TILT_DEG))
        upright &= thickness(sums) < FLAT_M
        pixels = np.maximum(sums[:, PIXELS], 1)
        pixel_m2 = (sums[:, AREA] / pixels)[surfaces.patches].ravel()
        all_m2 = np.bincount(things.ravel(), pixel_m2, count)
        steep_m2 = np.bincount(
            things.ravel(), np.where(upright[surfaces.patches].ravel(), pixel_m2, 0.0), count
        )
        top, left, right = (
            np.isin(np.arange(count), edge) for edge in (things[:3], things[:, :3], things[:, -3:])
        )
        out = (left & right) | (top & (left | right))
        out &= (steep_m2 > UPRIGHT_SHARE * all_m2) & (steep_m2 >= s.structure_m2)
        out[0] = False
        return np.asarray(out)

    def _not_behind(self, things: Ints32, surfaces: Surfaces) -> Ints32:
        """Return things without what is seen only through gaps of what is before it."""
        from commonground.mapping.perception.gaps import hidden_share

        good = hidden_share(things, surfaces.depth) <= self.settings.most_hidden
        good[0] = False
        return np.where(good, np.cumsum(good), 0).astype(np.int32)[things]

    def _broad(self, surfaces: Surfaces, least_m2: float) -> Bools:
        """Return which patches are flat and so large, as what carries things or hangs them is."""
        sums = surfaces.sums
        return np.asarray((sums[:, AREA] >= least_m2) & (thickness(sums) < FLAT_M))

    def _on_planes(self, surfaces: Surfaces, role: Ints32) -> tuple[Surfaces, Ints32, Ints32]:
        """Return the surfaces with each plane of the room as one patch, the roles, and what stands (h, w)."""
        from commonground.mapping.perception import _geometry
        from commonground.mapping.perception.planes import (
            before_plane,
            flattened,
            on_planes,
            planes_of,
        )

        s = self.settings
        patches = flattened(surfaces, self._noise, s)
        if patches is not surfaces.patches:
            surfaces = self._anew(surfaces, patches)
            role = np.r_[role, np.full(len(surfaces.sums) - len(role), NO_SURFACE)]
        stands = self._standing(surfaces, role)
        stood = stands[surfaces.patches]
        role[stands == FREE] = NO_SURFACE
        planes = planes_of(surfaces, role, stands == FREE, s)
        lies = on_planes(planes, surfaces, self._noise, s.one_plane_m)
        rest = np.where(lies < 0, surfaces.patches, 0).astype(np.int32)
        parent, pieces = np.empty(rest.size, np.int32), np.empty(rest.shape, np.int32)
        _geometry.label_pieces(rest, parent)
        count = _geometry.number_pieces(rest > 0, parent, LEAST_PATCH_PX, pieces)
        before = np.zeros(count + 1, np.int64)
        before[pieces] = rest
        k = len(planes.role)
        patches = np.where(lies >= 0, lies + 1, np.where(pieces > 0, pieces + k, 0))
        surfaces = self._anew(surfaces, patches.astype(np.int32))
        own = planes.of[before[1:]]
        own[before_plane(planes, before[1:], surfaces.sums[k + 1 :], s.one_plane_m)] = NO_SURFACE
        role = np.concatenate([[NO_SURFACE], planes.role, own]).astype(np.int32)
        return surfaces, role, stood

    def _standing(self, surfaces: Surfaces, role: Ints32) -> Ints32:
        """Return which patches (k + 1,) are faces of what stands FREE or may."""
        if not self.settings.standing:
            return np.zeros(len(surfaces.sums), np.int32)
        return standing(surfaces, role, self._noise)

    def _anew(self, surfaces: Surfaces, patches: Ints32) -> Surfaces:
        """Return the surfaces with other patches."""
        sums = self._sums(
            patches, surfaces.depth, surfaces.normal, surfaces.K, surfaces.T_level_cam
        )
        return replace(surfaces, patches=patches, sums=sums)

    def _with_flat(self, things: Ints32, surfaces: Surfaces, frame: Frame) -> Ints32:
        """Return things with those that lie flat on surfaces, behind them in number."""
        from commonground.mapping.perception.markings import Sizes, flat_things

        h, w = things.shape
        rgb = frame.rgb[REDUCE // 2 :: REDUCE, REDUCE // 2 :: REDUCE][:h, :w]
        broad = self._broad(surfaces, CARRIER_M2)
        carriers = np.where(broad, np.arange(len(broad)), 0).astype(np.int32)
        pixel_m2 = surfaces.sums[:, AREA] / np.maximum(surfaces.sums[:, PIXELS], 1)
        v, u = np.mgrid[:h, :w]
        fx, fy, cx, cy = surfaces.K
        rays = np.stack([(u - cx) / fx, (v - cy) / fy, np.ones((h, w))], axis=-1)
        points = (rays * surfaces.depth[..., None]).astype(np.float32)
        sizes = Sizes(*FLAT_M2, self.settings.least_m, FLAT_FILL)
        patches = surfaces.patches
        bare = np.where(things == 0, carriers[patches], 0)
        flat = flat_things(rgb, bare, points, pixel_m2[patches], sizes)
        return np.where(flat > 0, flat + things.max(), things).astype(np.int32)

    def _sizeable(self, surfaces: Surfaces, things: Ints32, stood: Ints32) -> Ints32:
        """Return the new number of each thing, 0 for those too small or too large to be one."""
        s = self.settings
        sums = self._sums(things, surfaces.depth, surfaces.normal, surfaces.K, surfaces.T_level_cam)
        extent = np.where(sums[:, [PIXELS]] > 0, sums[:, HIGH] - sums[:, LOW], 0.0)
        most = np.where(_mostly(stood == FREE, things), max(s.most_m, MOST_M), s.most_m)
        good = (sums[:, PIXELS] >= s.least_px / REDUCE**2) & (extent.max(axis=1) <= most)
        good &= extent.max(axis=1) >= s.least_m
        good[0] = False
        out = np.zeros(len(sums), np.int32)
        out[good] = 1 + np.arange(good.sum())
        return out

    def _surface_image(self, surfaces: Surfaces, role: Ints32, frame: Frame) -> Ints32:
        small = np.where(role == TOP, NO_SURFACE, role)[surfaces.patches] + 1
        return self._enlarged(small, surfaces, frame) - 1

    def _enlarged(self, small: Ints32 | Bools, surfaces: Surfaces, frame: Frame) -> Ints32:
        """Return an image at the size of the frame."""
        from commonground.mapping.perception import _geometry

        out, small = np.empty(frame.depth_m.shape, np.int32), small.astype(np.int32)
        _geometry.enlarge(small, surfaces.depth, frame.depth_m, REDUCE, self._noise, out)
        return out


def _mostly(there: Bools, things: Ints32) -> Bools:
    """Return of which things (k + 1,) most pixels are ``there`` (h, w)."""
    count = int(things.max(initial=0)) + 1
    share = np.bincount(things.ravel(), there.ravel(), count)
    return np.asarray(share > 0.5 * np.bincount(things.ravel(), minlength=count))
