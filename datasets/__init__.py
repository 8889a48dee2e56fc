"""Readers and makers of data: bags, RGB-D folders, a simulated campus."""

if (
    __name__ == "datasets"
):  # found from the repository root under its folder's name: a second copy of every class
    raise ImportError("use 'import commonground.datasets'")

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Health": "health",
        "FileReader": "readers.files",
        "Format": "opening",
        "LABELS": "labels",
        "MaskSettings": "settings",
        "Reader": "reader",
        "Recording": "readers.files",
        "Shot": "readers.files",
        "Simulation": "simulator.simulation",
        "SimulationSettings": "settings",
        "Trajectory": "trajectory",
        "Wishes": "making",
        "World": "world.model",
        "degraded": "masks",
        "describe_data": "describe",
        "make_world": "world.making",
        "open_dataset": "opening",
        "scene_of": "world.truth",
        "simulate": "simulator.simulation",
        "simulate_dataset": "making",
        "write_folder": "folder",
    },
)
