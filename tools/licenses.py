"""Write docs/licenses.md: under what licenses the libraries are that each extra brings.

python tools/licenses.py
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path

from packaging.requirements import Requirement

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.lock import ROOT, closure

PAGE = ROOT / "docs" / "licenses.md"
BINDING = re.compile(r"(?<!L)\bA?GPL|GNU (Affero )?General Public", re.IGNORECASE)
HEAD = """# Licenses of what is installed

Commonground itself is under the license in `LICENSE`. Plain installs and the extras bring the libraries
below, each under the license that its package states. **Binding** ones (GPL, AGPL) oblige whoever passes
on a program that is built on them; importing Commonground loads none of them (`tests/e2e/test_licenses.py`):

- *ultralytics* (AGPL) is loaded only where FastSAM segments images, with the extra `perception`; the
  classical segmenter needs none of it.
- *up-fast-downward* (GPL) is a program of its own, which is started and spoken to through files and pipes.
- *evo* (GPL) is an extra of its own, for comparing our error measures with it; nothing imports it.
- *bosdyn-client* is under the Spot SDK's own terms of use, with the extra `spot`.

Versions are those of `tools/constraints.txt`. `python tools/licenses.py` writes this page.
"""


def license_of(name: str) -> str:
    """Return what a distribution says of its license: the expression, the classifiers, or the first line."""
    about = metadata(name)
    said = about.get("License-Expression")
    classes = [
        c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or () if "License ::" in c
    ]
    first = (about.get("License") or "").strip().partition("\n")[0]
    return (
        said or ", ".join(c for c in classes if c != "OSI Approved") or first[:60] or "not stated"
    )


def extras() -> dict[str, list[Requirement]]:
    """Return what a plain install and each extra bring themselves; what only developers need is left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {"": project["dependencies"], **project["optional-dependencies"]}
    found = {
        extra: [r for r in map(Requirement, lines) if r.name != "commonground"]
        for extra, lines in named.items()
        if extra not in ("dev", "docs")
    }
    return {extra: own for extra, own in found.items() if own}


def page() -> str:
    """Return the page."""
    own = extras()
    lines = [HEAD, "| extra | library | license | binding |", "|---|---|---|---|"]
    for extra, requirements in own.items():
        for requirement in sorted(requirements, key=lambda r: r.name.lower()):
            said = license_of(requirement.name)
            binds = "yes" if BINDING.search(said) else ""
            lines.append(f"| {extra or 'none'} | {requirement.name} | {said} | {binds} |")
    direct = {r.name for rs in own.values() for r in rs}
    everything = closure([r for rs in own.values() for r in rs])
    rest: dict[str, list[str]] = {}
    for name in everything:
        if name not in {d.lower().replace("_", "-") for d in direct}:
            rest.setdefault(license_of(name), []).append(name)
    lines += ["", "What these bring along:", "", "| license | libraries |", "|---|---|"]
    lines += [f"| {said} | {', '.join(sorted(names))} |" for said, names in sorted(rest.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
