"""Names for the array types that cross module borders; shapes are told in each docstring."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""Positions, transforms, times in seconds: float64 of any shape."""
Floats32: TypeAlias = NDArray[np.float32]
"""Depth images, embeddings, point clouds."""
Ints: TypeAlias = NDArray[np.int64]
"""Indices and nanoseconds."""
Ints32: TypeAlias = NDArray[np.int32]
"""Labels and instance images."""
Ids: TypeAlias = NDArray[np.uint64]
"""Spark-DSG node ids."""
Bytes: TypeAlias = NDArray[np.uint8]
"""Colors and images."""
Bools: TypeAlias = NDArray[np.bool_]
"""Masks."""
