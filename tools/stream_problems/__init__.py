"""Small problems that show the language of streams, in pure Python, for tests and benchmarks."""

from tools.stream_problems.blocksworld import blocks, blocks_with_derived_predicates
from tools.stream_problems.continuous_tamp import blocked, mirror, tight
from tools.stream_problems.discrete_tamp import STREAM_INFO, shelf
from tools.stream_problems.kitchen import coffee

__all__ = [
    "STREAM_INFO",
    "blocked",
    "blocks",
    "blocks_with_derived_predicates",
    "coffee",
    "mirror",
    "shelf",
    "tight",
]
