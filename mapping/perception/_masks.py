"""Compiled loops over label images."""

from __future__ import annotations

from commonground.arrays import Ints32
from commonground.compiled import compiled


@compiled
def renumber(instances: Ints32, number: Ints32, masks: Ints32) -> int:
    """Write the instances as 1 … k in order of first appearance; ``number`` (largest + 1,) starts as 0."""
    rows, columns = instances.shape
    used = 0
    for y in range(rows):
        for x in range(columns):
            i = instances[y, x]
            if i <= 0:
                masks[y, x] = 0
                continue
            if number[i] == 0:
                used += 1
                number[i] = used
            masks[y, x] = number[i]
    return used


@compiled
def count_labels(masks: Ints32, labels: Ints32, votes: Ints32) -> None:
    """Count the label numbers under each mask into ``votes`` (k + 1, labels)."""
    rows, columns = masks.shape
    most = votes.shape[1]
    for y in range(rows):
        for x in range(columns):
            s = masks[y, x]
            if s > 0 and labels[y, x] >= 0 and labels[y, x] < most:
                votes[s, labels[y, x]] += 1


@compiled
def look_up(image: Ints32, table: Ints32, missing: int, out: Ints32) -> None:
    """Write ``table[n]`` for each number n of an image, ``missing`` for numbers it does not have."""
    flat, target = image.ravel(), out.ravel()
    for p in range(len(flat)):
        n = flat[p]
        target[p] = table[n] if n >= 0 and n < len(table) else missing
