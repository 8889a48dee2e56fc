"""Readers and makers of data: bags, RGB-D folders, a simulated campus."""

if (
    __name__ == "datasets"
):  # found from the repository root under its folder's name: a second copy of every class
    raise ImportError("use 'import commonground.datasets'")

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
