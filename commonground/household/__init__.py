"""Household commands planned, carried out in simulation and repaired by a heterogeneous team."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "COLUMNS": "table",
        "Circumstances": "suite",
        "Comparison": "suite",
        "HouseholdTeam": "team",
        "Ran": "team",
        "cells": "table",
        "compare_household": "suite",
        "run_household": "suite",
        "rows_of": "table",
        "write_plans": "suite",
    },
)
