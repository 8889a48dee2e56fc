"""A knowledge graph typed by a PDDL domain: durable, bitemporal, with provenance and functional groups."""

from commonground.lazy import lazy_exports

_NAMES = {
    "facts": "Fact",
    "files": "Thing World load_world",
    "groups": "Group Groups",
    "index": "Draft FactIndex View",
    "records": "Claim ChangeRecord Outcome Record Source",
    "settings": "KnowledgeSettings",
    "store": "KnowledgeStore",
    "vocabulary": "Vocabulary",
    "writer": "Change",
}

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {name: module for module, names in _NAMES.items() for name in names.split()}
)
