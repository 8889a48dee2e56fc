"""Finding things of a map by words: by names, classes, what words have in common, and by looks."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Finder": "finding",
        "Findings": "finding",
        "Hit": "finding",
        "TextEncoder": "looks",
        "find": "finding",
        "model_of": "looks",
    },
)
