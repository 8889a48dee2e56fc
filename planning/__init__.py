"""Planning: goals become plans, schedules and behavior trees that are checked before anyone drives."""

# found from the repository root under its folder's name, this would be a second copy of every class
if __name__ == "planning":
    raise ImportError("use 'import commonground.planning'")

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "FastDownward": "downward",
        "PlanResult": "result",
        "Status": "result",
        "TeamPlan": "scene",
        "load_task": "pddl",
        "plan_file": "team.files",
        "plan_scene": "team",
        "solve_problem": "problems",
        "solve_stream_problem": "problems",
        "solve_team": "temporal",
        "tree_of_plan": "behavior",
        "write_plan": "team.files",
    },
)
