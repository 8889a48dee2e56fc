"""Package the five top-level folders under the one import name ``commonground``."""

from setuptools import find_namespace_packages, find_packages, setup

PARTS = ("mapping", "localization", "planning", "grounding", "datasets")


def inner(part: str) -> list[str]:
    """Return the packages within a part, folders of data among them."""
    return find_namespace_packages(part, exclude=["*__pycache__*"])


setup(
    packages=[
        "commonground",
        *find_packages(include=["commonground.*"]),
        *(f"commonground.{part}" for part in PARTS),
        *(f"commonground.{part}.{name}" for part in PARTS for name in inner(part)),
    ],
    package_dir={
        "commonground": "commonground",
        **{f"commonground.{part}": part for part in PARTS},
    },
    package_data={
        "": ["py.typed", "*.pyi", "data/**/*", "data/*", "*.yaml", "*.txt", "*.pddl", "*.css"]
    },
)
