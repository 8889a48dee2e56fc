"""Small problems that show the language, in pure Python; each module has functions that return problems."""

from tests.planning.streams.examples.blocksworld import blocks, blocks_with_derived_predicates
from tests.planning.streams.examples.continuous_tamp import blocked, mirror, tight
from tests.planning.streams.examples.discrete_tamp import shelf
from tests.planning.streams.examples.kitchen import coffee

__all__ = [
    "blocked",
    "blocks",
    "blocks_with_derived_predicates",
    "coffee",
    "mirror",
    "shelf",
    "tight",
]
