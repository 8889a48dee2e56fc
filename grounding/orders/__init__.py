"""Orders on a map: what was said becomes an instruction, and that a goal for each robot."""

from commonground.grounding.orders.grounding import Orders
from commonground.grounding.orders.instruction import Notes, instruction_of

__all__ = ["Notes", "Orders", "instruction_of"]
