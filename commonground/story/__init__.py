"""The whole way from frames to driven plans, as ``run`` and ``demo`` tell it: one module a chapter."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Config": "config",
        "Drive": "spec",
        "REPORT": "spec",
        "Story": "spec",
        "StoryResult": "phases",
        "campus_story": "sample",
        "compile_loops": "compiling",
        "read_story": "spec",
        "run_story": "phases",
    },
)
