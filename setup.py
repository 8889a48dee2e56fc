"""Package the five top-level folders under the one import name ``commonground``."""

from setuptools import find_packages, setup

PARTS = ("mapping", "localization", "planning", "grounding", "datasets")

setup(
    packages=[
        "commonground",
        *find_packages(include=["commonground.*"]),
        *(f"commonground.{part}" for part in PARTS),
        *(f"commonground.{part}.{inner}" for part in PARTS for inner in find_packages(part)),
    ],
    package_dir={
        "commonground": "commonground",
        **{f"commonground.{part}": part for part in PARTS},
    },
    package_data={
        "": ["py.typed", "data/**/*", "data/*", "*.lark", "*.yaml", "*.txt", "*.pddl", "*.css"]
    },
)
