"""The lifelong memory: a knowledge graph that is told, asked and planned with in plain language."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "CHANGE_COLUMNS": "history",
        "Episode": "replay",
        "HISTORY_COLUMNS": "history",
        "Memory": "memory",
        "VARIANTS": "variants",
        "ask": "asking",
        "change_rows": "history",
        "changes_of": "sightings",
        "create_memory": "opening",
        "history_rows": "history",
        "observe": "sensing",
        "meanings_of": "opening",
        "open_memory": "opening",
        "parse_time": "clock",
        "person_named": "lookup",
        "plan_task": "task_plans",
        "read_observation": "sightings",
        "replay_episode": "replay",
        "shown": "clock",
        "thing_named": "lookup",
        "variant_named": "variants",
        "write_predictions": "replay",
    },
)
