"""Frames become one robot's scene graph and object map; many robots' maps become one."""

if __name__ == "mapping":  # found from the repository root: a second copy of every class
    raise ImportError("use 'import commonground.mapping'")

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "FusedMap": "fusion.fuse",
        "Locator": "locating",
        "Mapper": "pipeline",
        "MappingSettings": "settings",
        "ObjectMapper": "objects.mapper",
        "RobotMap": "result",
        "Verdict": "odometry",
        "find_runs": "fusion.inputs",
        "fuse": "fusion.fuse",
        "load_runs": "fusion.inputs",
        "locate": "locating",
        "make_perception": "perception.factory",
        "map_robot": "run",
        "read_mesh": "surface.ply",
    },
)
