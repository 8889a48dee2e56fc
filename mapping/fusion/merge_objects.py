"""Merging of objects: detections of one thing by several robots become one object."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints
from commonground.looks import SPREAD, WEIGHT
from commonground.mapping.fusion.grouping import grouped
from commonground.mapping.fusion.joint_boxes import seen_together
from commonground.objects import ObjectMap
from commonground.scene import Boxes
from commonground.symbols import node_ids

REACH_M = 3.0
"""Centroids farther apart, beyond their own size, are never one thing."""
POSE_SIGMA_M = 0.25
"""What is left of the robots' pose errors after optimization, along each axis."""
GATE = 16.27
"""χ² with three degrees of freedom at 99.9 %."""
LEAST_LABEL = 0.05
"""Label distributions that overlap less are of different things."""
LEAST_COSINE = 0.3
POINTS, EYES = "points", "viewpoints"
"""Columns of the points that are kept of each object, and of where it was seen from."""
ONE_SPACE = 0.4
"""Shared part of all the space two boxes take, from which they hold one thing, whatever robots call it."""
SAME_SPACE = 0.5
"""Share of the smaller box inside the other, from which one robot's two objects are one thing seen apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """The fused object map, and where each robot's objects went."""

    objects: ObjectMap
    into: list[Ints]
    """For each robot (n_r,) rows of the fused map."""


def merge_objects(maps: Sequence[ObjectMap], names: Sequence[str]) -> Fused:
    """Return one object map of several in one frame."""
    stacked = _stacked(maps, names)
    robot = np.repeat(np.arange(len(maps)), [len(m) for m in maps])
    group = grouped(*_candidates(stacked, robot), robot)
    objects = _averaged(stacked, group, robot, names)
    if POINTS in stacked.columns:
        kept = stacked.columns
        objects = seen_together(objects, kept[POINTS], kept.get(EYES), group)
    starts = np.cumsum([0, *map(len, maps)])
    into = [group[a:b] for a, b in itertools.pairwise(starts)]
    submaps = tuple(
        replace(s, rows=np.unique(into[r][s.rows]), robot=s.robot or names[r])
        for r, m in enumerate(maps)
        for s in m.submaps
    )
    return Fused(replace(objects, submaps=submaps), into)


def _candidates(objects: ObjectMap, robot: Ints) -> tuple[Ints, Floats]:
    """Return pairs (k, 2) of objects that may be one thing, the lower row first, and the cost of joining."""
    from scipy.spatial import cKDTree

    if len(objects) < 2:
        return np.empty((0, 2), np.int64), np.empty(0)
    size = np.nan_to_num(objects.boxes.sizes, nan=0.3)
    radius = 0.5 * np.linalg.norm(size, axis=1)
    reach = REACH_M + float(radius.max())
    pairs = cKDTree(objects.centroids).query_pairs(reach, output_type="ndarray").astype(np.int64)
    a, b = pairs.T
    gap = objects.centroids[a] - objects.centroids[b]
    within = np.linalg.norm(gap, axis=1) < REACH_M + radius[a] + radius[b]
    pairs, gap = pairs[within], gap[within]
    a, b = pairs.T
    # two views of one thing may each have seen another side of it
    spread = (size[a] + size[b]) / 8
    C = objects.covariances[a] + objects.covariances[b] + np.eye(3) * 2 * POSE_SIGMA_M**2
    C = C + spread[:, :, None] ** 2 * np.eye(3)
    distance = np.einsum("ki,ki->k", gap, np.linalg.solve(C, gap[..., None])[..., 0])
    overlap = _overlap(objects, a, b)
    near = (distance < GATE) | (overlap > 0.2)
    own = robot[a] == robot[b]
    near &= ~own | (overlap > SAME_SPACE) | (_other_visit(objects, a, b) & (overlap > 0.2))
    near &= _similar_size(size[a], size[b])
    a, b, overlap = a[near], b[near], overlap[near]
    named = _named_alike(objects, a, b)
    other = ~own[near] & _one_space(objects, a, b)
    alike = (named | other) & _look_alike(objects, a, b)
    cost = distance[near] - 6.0 * overlap + GATE * ~named
    return pairs[near][alike], cost[alike]


def _other_visit(objects: ObjectMap, a: Ints, b: Ints) -> Bools:
    """Return which objects (k,) were seen on different visits: one was left before the other was met."""
    return np.asarray(
        (objects.last_seen_ns[a] < objects.first_seen_ns[b])
        | (objects.last_seen_ns[b] < objects.first_seen_ns[a])
    )


def _overlap(objects: ObjectMap, a: Ints, b: Ints) -> Floats:
    """Return the shared share (k,) of the smaller of two boxes, taken along the axes of the map."""
    low, high = objects.boxes.bounds()
    inner = np.clip(np.minimum(high[a], high[b]) - np.maximum(low[a], low[b]), 0, None).prod(axis=1)
    smaller = np.minimum((high - low).prod(axis=1)[a], (high - low).prod(axis=1)[b])
    return np.asarray(np.nan_to_num(inner / np.maximum(smaller, 1e-6)))


def _one_space(objects: ObjectMap, a: Ints, b: Ints) -> Bools:
    """Return which pairs (k,) of boxes are in one place and alike in size: no two solid things can be."""
    low, high = objects.boxes.bounds()
    inner = np.clip(np.minimum(high[a], high[b]) - np.maximum(low[a], low[b]), 0, None).prod(axis=1)
    volume = (high - low).prod(axis=1)
    return np.asarray(inner > ONE_SPACE * (volume[a] + volume[b] - inner))


def _named_alike(objects: ObjectMap, a: Ints, b: Ints) -> Bools:
    """Return which pairs (k,) may be of one class, as far as robots say what they are."""
    if not objects.label_scores.shape[1]:
        return np.ones(len(a), bool)
    p, q = np.nan_to_num(objects.label_scores[a]), np.nan_to_num(objects.label_scores[b])
    shared = np.sqrt(p * q).sum(axis=1)
    return np.asarray((shared > LEAST_LABEL) | (p.sum(axis=1) == 0) | (q.sum(axis=1) == 0))


def _look_alike(objects: ObjectMap, a: Ints, b: Ints) -> Bools:
    """Return which pairs (k,) do not differ in looks; what has no looks differs from nothing."""
    if not objects.embeddings.shape[1]:
        return np.ones(len(a), bool)
    x, y = objects.embeddings[a], objects.embeddings[b]
    norm = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    cosine = (x * y).sum(axis=1) / np.maximum(norm, 1e-9)
    return np.asarray(~(cosine < LEAST_COSINE))


def _similar_size(a: Floats, b: Floats) -> Bools:
    """Return which sizes (k, 3) may be of one thing; a partial view is smaller, not another thing."""
    ratio = np.sort(a, axis=1)[:, -1] / np.maximum(np.sort(b, axis=1)[:, -1], 1e-3)
    return np.asarray((ratio < 4.0) & (ratio > 0.25))


def _averaged(objects: ObjectMap, group: Ints, robot: Ints, names: Sequence[str]) -> ObjectMap:
    """Return one object per group: positions by information, the rest by number of observations."""
    n = int(group.max()) + 1 if len(group) else 0
    weight = objects.observations.astype(float)
    total = np.maximum(np.bincount(group, weight, n), 1e-9)
    information = np.linalg.inv(objects.covariances + np.eye(3) * 1e-6)
    joint = np.zeros((n, 3, 3))
    np.add.at(joint, group, information)
    pull = np.zeros((n, 3))
    np.add.at(pull, group, np.einsum("kij,kj->ki", information, objects.centroids))
    covariances: Floats = np.asarray(np.linalg.inv(joint), float)
    lead = _leaders(group, weight, n)
    seen_by = np.zeros((n, len(names)), bool)
    seen_by[group, robot] = True
    merged = objects.take(lead)
    centroids = np.einsum("nij,nj->ni", covariances, pull)
    own = merged.boxes
    return replace(
        merged,
        ids=node_ids("O", np.arange(n)),
        centroids=centroids,
        covariances=covariances,
        # the box of the member that was seen most, where all together see the thing
        boxes=Boxes(own.centers + centroids - merged.centroids, own.sizes, own.quat_wxyz),
        shapes=_mean(objects.shapes, group, weight, total),
        embeddings=_unit(_mean(objects.embeddings, group, weight, total)),
        label_scores=_mean(objects.label_scores, group, weight, total),
        observations=np.bincount(group, objects.observations, n).astype(np.int64),
        first_seen_ns=_extreme(np.minimum, objects.first_seen_ns, group, n),
        last_seen_ns=_extreme(np.maximum, objects.last_seen_ns, group, n),
        existence=_either(objects.existence, group, n),
        columns={
            **merged.columns,
            **_spread(objects, group, weight, total),
            **_seen(objects, group, len(total)),
            "seen_by": seen_by,
        },
        metadata={"robots": list(names)},
        submaps=(),
    )


def _leaders(group: Ints, weight: Floats, n: int) -> Ints:
    """Return the row of the most seen member of each group."""
    order = np.lexsort((-weight, group))
    _, first = np.unique(group[order], return_index=True)
    return order[first][:n]


def _mean(values: Floats32, group: Ints, weight: Floats, total: Floats) -> Floats32:
    out = np.zeros((len(total), values.shape[1]))
    np.add.at(out, group, np.nan_to_num(values) * weight[:, None])
    return np.asarray(out / total[:, None], np.float32)


def _spread(objects: ObjectMap, group: Ints, weight: Floats, total: Floats) -> dict[str, Any]:
    """Return how far all views of each group differ in looks; what has no looks adds nothing."""
    if SPREAD not in objects.columns or not objects.embeddings.shape[1]:
        return {}
    alike = np.asarray(1.0 - objects.columns[SPREAD], np.float32)
    seen = np.where(np.isfinite(alike), weight, 0.0)
    sums = _mean(alike[:, None] * objects.embeddings, group, weight, total) * total[:, None]
    views = np.bincount(group, seen, len(total))
    with np.errstate(divide="ignore", invalid="ignore"):
        return {SPREAD: np.asarray(1.0 - np.linalg.norm(sums, axis=1) / views, np.float32)}


def _seen(objects: ObjectMap, group: Ints, n: int) -> dict[str, Any]:
    """Return how much was seen of each group in all."""
    if WEIGHT not in objects.columns:
        return {}
    return {WEIGHT: np.bincount(group, objects.columns[WEIGHT], n).astype(np.float32)}


def _unit(vectors: Floats32) -> Floats32:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0, vectors / np.maximum(length, 1e-9), np.nan), np.float32)


def _extreme(which: np.ufunc, values: Ints, group: Ints, n: int) -> Ints:
    info = np.iinfo(np.int64)
    out = np.full(n, info.max if which is np.minimum else info.min, np.int64)
    which.at(out, group, values)
    return out


def _either(existence: Floats32, group: Ints, n: int) -> Floats32:
    absent = np.zeros(n)
    np.add.at(absent, group, np.log(np.clip(1.0 - existence, 1e-6, 1.0)))
    return np.asarray(1.0 - np.exp(absent), np.float32)


def _stacked(maps: Sequence[ObjectMap], names: Sequence[str]) -> ObjectMap:
    """Return several maps as one, in one vocabulary, without merging anything."""
    words = tuple(sorted({w for m in maps for w in m.vocabulary}))
    models = sorted({m.embedding_model for m in maps if m.embeddings.shape[1]})

    def joined(name: str) -> Any:
        return np.concatenate([getattr(m, name) for m in maps])

    shared = [
        name for name in (POINTS, EYES, SPREAD, WEIGHT) if all(name in m.columns for m in maps)
    ]
    return ObjectMap(
        columns={name: np.concatenate([m.columns[name] for m in maps]) for name in shared},
        ids=node_ids("O", np.arange(sum(map(len, maps)))),
        centroids=joined("centroids"),
        covariances=joined("covariances"),
        boxes=Boxes.joined([m.boxes for m in maps]),
        shapes=joined("shapes"),
        embeddings=_stacked_embeddings(maps, models),
        label_scores=np.concatenate([_scores(m, words) for m in maps]),
        observations=joined("observations"),
        first_seen_ns=joined("first_seen_ns"),
        last_seen_ns=joined("last_seen_ns"),
        existence=joined("existence"),
        vocabulary=words,
        embedding_model=models[0] if len(models) == 1 else "",
        frame="map",
        metadata={"robots": list(names)},
    )


def _scores(objects: ObjectMap, words: Sequence[str]) -> Floats32:
    """Return the label scores (n, words) of a map in another vocabulary that holds its own."""
    out = np.zeros((len(objects), len(words)), np.float32)
    out[:, [words.index(w) for w in objects.vocabulary]] = objects.label_scores
    return out


def _stacked_embeddings(maps: Sequence[ObjectMap], models: Sequence[str]) -> Floats32:
    """Return the embeddings of all maps if they come from one model, NaN where a map has none."""
    width = max((m.embeddings.shape[1] for m in maps), default=0) if len(models) <= 1 else 0
    return np.concatenate(
        [
            m.embeddings
            if m.embeddings.shape[1] == width
            else np.full((len(m), width), np.nan, np.float32)
            for m in maps
        ]
    )
