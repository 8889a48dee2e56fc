"""PDDL: read, check, print, reason about formulas, and execute plans, independently of any planner."""

from commonground.lazy import lazy_exports

_NAMES = {
    "formula": "And Arithmetic Atom Compare Effect Exists FALSE Fluent Forall Formula Imply Not Number Or "
    "TRUE TimedCondition TimedEffect Typed Update",
    "domain": "Action Axiom Domain DurativeAction Function Metric Predicate Problem Task TimedLiteral "
    "TypeTree",
    "parser": "load_task parse_domain parse_formula parse_problem",
    "printer": "to_pddl",
    "check": "check_domain check_formula check_problem",
    "source": "PddlError",
    "logic": "atoms conjunction conjuncts disjunction dnf expand free_variables nnf simplify symbols",
    "substitution": "substitute",
    "satisfy": "conflict equivalent implies satisfiable satisfying",
    "facts": "Facts",
    "world": "World",
    "plan": "Step TimedStep parse_plan parse_timed_plan plan_text",
    "executor": "Execution Failure execute",
    "durative": "TimedExecution execute_timed",
    "explain": "first_false why_false",
}

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {name: module for module, names in _NAMES.items() for name in names.split()}
)
