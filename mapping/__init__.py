"""Frames become one robot's scene graph and object map; many robots' maps become one."""

if __name__ == "mapping":  # found from the repository root: a second copy of every class
    raise ImportError("use 'import commonground.mapping'")

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "FusedMap": "fusion.fuse",
        "Fusion": "fusion.run",
        "Locator": "locating",
        "Mapper": "pipeline",
        "MappingSettings": "settings",
        "Matching": "fusion.run",
        "ObjectMapper": "objects.mapper",
        "RobotMap": "result",
        "Verdict": "odometry",
        "find_objects": "locating",
        "find_runs": "fusion.inputs",
        "find_sights": "confirming",
        "fuse": "fusion.fuse",
        "fuse_runs": "fusion.run",
        "holds_map": "locating",
        "load_meshed": "surface.meshed",
        "load_runs": "fusion.inputs",
        "locate": "locating",
        "locate_mapped": "locating",
        "locate_recording": "recorded",
        "make_perception": "perception.factory",
        "map_recording": "recorded",
        "map_robot": "run",
        "read_mesh": "surface.ply",
        "solve_graph": "fusion.graphs",
    },
)
