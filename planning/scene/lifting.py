"""What a robot can lift: nothing whose longest side is longer than it says."""

from __future__ import annotations

from commonground.robots import Robot
from commonground.scene import SceneGraph


def too_long(graph: SceneGraph, thing: str, robot: Robot) -> str:
    """Return why a robot does not pick a thing up; empty where it may, or nobody knows its size."""
    boxes = graph.objects.boxes
    side_m = float("nan") if boxes is None else float(max(boxes.sizes[graph.objects.row(thing)]))
    if not side_m > robot.lifts_m:
        return ""
    lifts = f"{robot.name} lifts what is up to {robot.lifts_m:g} m long (lifts_m of the robot)"
    return f"{thing} is {side_m:.1f} m long, and {lifts}"
