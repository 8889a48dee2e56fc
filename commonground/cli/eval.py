"""``commonground eval``: the tables."""

from __future__ import annotations

import typer

from commonground.cli import eval_fusion, eval_language, eval_maps, eval_plans, eval_tasks
from commonground.cli.command import join

app = typer.Typer(name="eval", help="Measure, and print the tables.", no_args_is_help=True)
for part in (eval_maps, eval_fusion, eval_language, eval_plans, eval_tasks):
    join(app, part.app)
