"""Assembly: Prolog knowledge bases become parallel, timed plans."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "check_file": "check",
        "checked_xml": "tree",
        "draw_gantt": "gantt",
        "errors_of": "findings",
        "explain_plan": "explain",
        "generate_base": "generate",
        "open_job": "generate",
        "plan_json": "planfile",
        "proof_of": "planfile",
        "read_plan": "planfile",
        "simulate_plan": "carried",
        "solve_base": "solve",
        "summary": "check",
        "write_plan": "planfile",
    },
)
