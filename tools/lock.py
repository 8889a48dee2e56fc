"""Write tools/constraints.txt: the versions with which everything was tested, which `make setup` installs.

python tools/lock.py          after `LOCKED=no tools/setup.sh`, which installs the newest versions
"""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "tools" / "constraints.txt"
WHERE = 'sys_platform == "linux" and platform_machine == "x86_64"'
"""Where these versions are known to have wheels that work together."""
LEFT_OUT = {"commonground", "pip", "setuptools", "wheel"}


def closure(wanted: list[Requirement]) -> dict[str, str]:
    """Return the installed versions of what is wanted and of what that needs in turn."""
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        for extra in ("", *requirement.extras):
            if (name, extra) in seen or name in LEFT_OUT:
                continue
            seen.add((name, extra))
            try:
                known = distribution(name)
            except PackageNotFoundError:
                sys.exit(f"{requirement.name} is not installed: LOCKED=no tools/setup.sh")
            found[name] = known.version
            needs = map(Requirement, known.requires or ())
            wanted += [n for n in needs if n.marker is None or n.marker.evaluate({"extra": extra})]
    return found


def wanted() -> list[Requirement]:
    """Return what pyproject names, but for the documentation's own tools."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (lines for name, lines in project["optional-dependencies"].items() if name != "docs")
    return [Requirement(line) for lines in (project["dependencies"], *extras) for line in lines]


def main() -> int:
    """Write the file."""
    lines = [f"{name}=={version} ; {WHERE}" for name, version in sorted(closure(wanted()).items())]
    head = "# Written by tools/lock.py; elsewhere the bounds of pyproject.toml choose.\n"
    LOCK.write_text(head + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} versions in {LOCK.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
