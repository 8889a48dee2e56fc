"""Makes a process ready for compiled loops when it is imported, so that its copies are from the start."""

from numba.core.registry import cpu_target

cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
