"""``commonground eval``: the tables, one module each."""

from __future__ import annotations

import importlib

import typer

from commonground.cli.command import join

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
"""Modules ``commonground.cli.eval_NAME``, each with one table."""


app = typer.Typer(name="eval", help="Measure, and print the tables.", no_args_is_help=True)
for name in TABLES:
    join(app, importlib.import_module(f"commonground.cli.eval_{name}").app)
