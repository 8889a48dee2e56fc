"""Reading PDDL: domains, problems, formulas and plans, with the place of every mistake."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from commonground.planning.pddl.check import check_domain, check_formula, check_problem
from commonground.planning.pddl.domain import Domain, Problem, Task
from commonground.planning.pddl.domain_syntax import DomainSyntax
from commonground.planning.pddl.formula import Formula, Typed
from commonground.planning.pddl.formula_syntax import FormulaSyntax
from commonground.planning.pddl.source import PddlError, Source, read, shown
from commonground.reading import read_text as bounded_text


def parse_domain(text: str, *, source: str = "domain", fold_case: bool = True) -> Domain:
    """Read and check a domain; ``source`` names the text in messages.

    Names become lower case unless ``fold_case`` is False, as PDDL does not tell case apart.
    """
    origin = Source(source, text)
    domain = DomainSyntax(origin).domain(read(origin, fold_case=fold_case))
    check_domain(domain, origin)
    return domain


def parse_problem(
    text: str, domain: Domain | None = None, *, source: str = "problem", fold_case: bool = True
) -> Problem:
    """Read a problem and, where its domain is given, check it against that."""
    origin = Source(source, text)
    problem = DomainSyntax(origin).problem(read(origin, fold_case=fold_case))
    if domain is not None:
        check_problem(domain, problem, origin)
    return problem


def parse_formula(
    text: str,
    domain: Domain | None = None,
    objects: tuple[Typed, ...] = (),
    *,
    source: str = "goal",
    fold_case: bool = True,
) -> Formula:
    """Read one formula and, where a domain is given, check it against that and the objects."""
    formula, origin = _formula(text, source, fold_case)
    if domain is not None:
        check_formula(domain, formula, (*domain.constants, *objects), origin)
    return formula


@lru_cache(maxsize=256)
def _formula(text: str, source: str, fold_case: bool) -> tuple[Formula, Source]:
    """Read one formula; whoever weighs a goal reads it again, several times."""
    origin = Source(source, text)
    nodes = read(origin, fold_case=fold_case)
    if len(nodes) > 1:
        origin.fail(f"expected one formula, found {shown(nodes[1])} after it", nodes[1].at)
    return FormulaSyntax(origin).formula(nodes[0] if nodes else None, 0), origin


def load_task(domain: Path | str, problem: Path | str) -> Task:
    """Read and check the domain and the problem of two files."""
    parsed = parse_domain(read_text(Path(domain)), source=str(domain))
    return Task(parsed, parse_problem(read_text(Path(problem)), parsed, source=str(problem)))


def read_text(path: str | Path) -> str:
    """Return the text of a PDDL file; raises PddlError where it cannot be read."""
    try:
        return bounded_text(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise PddlError(
            f"cannot be read: {reason}; give the path of a PDDL file", str(path)
        ) from error
