"""Language models behind any OpenAI-compatible server: asked for checked values, within time and budget."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
