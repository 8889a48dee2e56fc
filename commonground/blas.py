"""Linear algebra on one thread, so that results do not depend on how many cores a machine has.

A BLAS that shares a product among threads cuts it differently for each number of them, and the parts
round differently: on two cores and on sixteen the same maps would differ in the last digits. Matrices
here are small; the cores go to processes instead (``commonground.workers``).
"""

from __future__ import annotations

import threading
from contextlib import ContextDecorator
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> ThreadpoolController:
    """Return what sets the threads of numpy's and of SciPy's BLAS, which compiled loops use as well."""
    import scipy.linalg  # noqa: F401  # brings its own library, which has to be there to be found

    return ThreadpoolController()


class _Limit:
    """One thread for BLAS, from construction until it is lifted.

    It is set and lifted by a thread of its own: threadpoolctl lets only that thread lift a limit which
    set it, and of several that match maps at once the last to leave need not be the first who came.
    """

    def __init__(self) -> None:
        libraries, is_set = _libraries(), threading.Event()
        self._lift = threading.Event()

        def hold() -> None:
            with libraries.limit(limits=1, user_api="blas"):
                is_set.set()
                self._lift.wait()

        self._holder = threading.Thread(target=hold, name="one-blas-thread", daemon=True)
        self._holder.start()
        is_set.wait()

    def lift(self) -> None:
        self._lift.set()
        self._holder.join()


class _OneThread(ContextDecorator):
    """The limit on the BLAS of this process, from the first who enters until the last has left.

    The number of threads belongs to the process: whoever calculates meanwhile has one as well.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._limit: _Limit | None = None

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            self._limit = self._limit or _Limit()

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._limit is not None and not self._inside:
                self._limit.lift()
                self._limit = None


one_blas_thread = _OneThread()
"""Context and decorator: linear algebra within is done on one thread."""
