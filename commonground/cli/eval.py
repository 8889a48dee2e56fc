"""``commonground eval``: the tables, one module each."""

from __future__ import annotations

import importlib

import typer

TABLES = (
    "association",
    "relocalization",
    "fusion",
    "grounding",
    "language",
    "planning",
    "missions",
    "memory",
    "household",
    "assembly",
)
"""Modules ``commonground.cli.eval_NAME``, each adding one table."""


def add(app: typer.Typer) -> None:
    """Add the group and its tables."""
    group = typer.Typer(help="Measure, and print the tables.", no_args_is_help=True)
    app.add_typer(group, name="eval")
    for name in TABLES:
        importlib.import_module(f"commonground.cli.eval_{name}").add(group)
