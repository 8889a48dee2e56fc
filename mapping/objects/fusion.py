"""Many views of one thing become one embedding and one label distribution."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.track import BINS, Track

APPEARANCE_FLOOR = 0.35
"""Factor for a segment that looks unlike the track; 1 ignores appearance."""
APPEARANCE_LOW = 0.3
"""Cosine of embeddings at which appearance counts nothing."""
APPEARANCE_HIGH = 0.8
"""Cosine of embeddings at which appearance counts fully."""

CONFUSION = 0.08
"""Share of views whose label is wrong whatever the scores say: no single view decides alone."""
TEMPER = 0.7
"""Views are not independent; their log scores are added at this power."""
FULL_VIEW_PX = 1500.0
"""Mask area of a view that says all it can."""


def view_weight(track: Track, sighting: Sighting, T_odom_cam: Floats, purity: float) -> float:
    """Return how much a view adds: less if small, cut off, impure, or from where it was seen already.

    The n-th view from one direction counts 1/n, so standing still does not outvote a drive around.
    """
    side = side_of(sighting, T_odom_cam)
    track.views[side] += 1
    area = min(1.0, sighting.area_px / FULL_VIEW_PX) ** 0.5
    return float(area * (0.4 if sighting.border else 1.0) * purity / track.views[side])


def side_of(sighting: Sighting, T_odom_cam: Floats) -> int:
    """Return from which of BINS directions a thing is seen."""
    away = T_odom_cam[:3, 3] - sighting.center
    turn = (np.arctan2(away[1], away[0]) / (2 * np.pi)) % 1.0
    return int(turn * BINS) % BINS


def picture_worth(sighting: Sighting, purity: float) -> float:
    """Return how much of a thing a view shows: as a picture it is the better the larger it is."""
    return float(sighting.area_px**0.5 * (0.4 if sighting.border else 1.0) * purity)


def add_look(track: Track, embedding: Floats32, weight: float) -> None:
    """Add one view's unit vector to a track; NaN adds nothing."""
    if len(embedding) and np.isfinite(embedding).all():
        track.embedding += weight * embedding
        track.embedding_weight += weight


def add_label(track: Track, label_scores: Floats32, weight: float) -> None:
    """Add one view's class probabilities to a track."""
    if len(label_scores):
        p = np.asarray(label_scores, float)
        total = p.sum()
        if np.isfinite(total) and total > 0:
            even = 1.0 / len(p)
            track.label_logs += weight * np.log((1 - CONFUSION) * p / total + CONFUSION * even)
            track.label_weight += weight


def fused_embedding(track: Track) -> Floats32:
    """Return the unit mean (d,) of the views' embeddings; NaN if no view had one."""
    norm = float(np.linalg.norm(track.embedding))
    if norm == 0:
        return np.full(len(track.embedding), np.nan, np.float32)
    return np.asarray(track.embedding / norm, np.float32)


def look_spread(track: Track) -> float:
    """Return how far the views' embeddings differ, 0 where all are one; NaN if no view had one."""
    if track.embedding_weight == 0:
        return np.nan
    return max(0.0, 1.0 - float(np.linalg.norm(track.embedding)) / track.embedding_weight)


def fused_labels(track: Track) -> Floats32:
    """Return the class probabilities (c,): a tempered product of the views' (log-linear pool)."""
    if track.label_weight == 0:
        return np.zeros(len(track.label_logs), np.float32)
    logs = TEMPER * track.label_logs
    p = np.exp(logs - logs.max())
    return np.asarray(p / p.sum(), np.float32)


def appearance_agreement(track: Track, embedding: Floats32, label_scores: Floats32) -> float:
    """Return a factor in [appearance_floor, 1]: how well a segment's appearance and class fit the track's."""
    agreement = 1.0
    norm = float(np.linalg.norm(track.embedding)) if len(embedding) else 0.0
    if norm > 0:
        cosine = float(track.embedding @ embedding) / norm
        if np.isfinite(cosine):
            span = max(APPEARANCE_HIGH - APPEARANCE_LOW, 1e-6)
            agreement *= float(np.clip((cosine - APPEARANCE_LOW) / span, 0.0, 1.0))
    if track.label_weight > 0 and label_scores.any():
        # Bhattacharyya coefficient of the two distributions
        agreement *= float(np.sqrt(fused_labels(track) * label_scores).sum())
    return APPEARANCE_FLOOR + (1 - APPEARANCE_FLOOR) * min(agreement, 1.0)
