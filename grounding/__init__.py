"""Language becomes goals; people and sensors keep a knowledge graph up to date."""

# found from the repository root under its folder's name, this would be a second copy of every class
if __name__ == "grounding":
    raise ImportError("use 'import commonground.grounding'")

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Grounder": "grounder",
        "Grounding": "answers",
        "GroundingSettings": "settings",
        "Instruction": "meaning",
        "Memory": "memory.memory",
        "ModelSettings": "settings",
        "Suite": "suites",
        "answer_file": "evaluate",
        "create_memory": "memory.opening",
        "load_suite": "suites",
        "meaning_from_json": "meaning",
        "open_memory": "memory.opening",
        "solve_base": "prolog.solve",
        "total_spent": "batches",
        "write_predictions": "batches",
    },
)
