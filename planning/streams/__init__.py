"""Planning with streams: actions over values that samplers find while planning (PDDLStream)."""

from commonground.lazy import lazy_exports

_NAMES = {
    "language": "And Action Certificate DEBUG Equal Exists ForAll INF Imply Minimize Not Or PDDLAction "
    "PDDLProblem Solution TOTAL_COST TOTAL_TIME Type get_args get_length get_prefix is_parameter is_plan "
    "print_solution solution_text",
    "generators": "BoundedGenerator WildOutput empty_gen empty_test fn_from_constant from_constant from_fn "
    "from_gen from_gen_fn from_list_fn from_list_gen_fn from_sampler from_test negate_test "
    "outputs_from_boolean universe_test",
    "info": "FunctionInfo OptValue PartialInputs PlanConstraints PredicateInfo StreamInfo WILD defer_shared "
    "defer_unique get_defer_all_unbound get_defer_any_unbound never_defer",
    "solving": "StreamResult solve solve_in_detail",
    "store": "REPLAN",
}

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {name: module for module, names in _NAMES.items() for name in names.split()}
)
