"""A knowledge graph typed by a PDDL domain: durable, bitemporal, with provenance and functional groups."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
