"""The whole way from frames to driven plans, as ``run`` and ``demo`` tell it: one module a chapter."""
