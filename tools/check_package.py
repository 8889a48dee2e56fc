"""Prove that the wheel is whole: every package is in it, and every module imports from elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("mapping", "localization", "planning", "grounding", "datasets")

IMPORT_ALL = """
import importlib, pathlib, pkgutil, sys
import commonground
home = pathlib.Path(commonground.__file__).parent
assert str(home).startswith(sys.argv[1]), f"imported from {home}, not from the wheel"
names = [m.name for m in pkgutil.walk_packages([str(home)], "commonground.")]
for name in names:
    importlib.import_module(name)
print(f"{len(names)} modules import from the wheel")
"""


def expected_packages() -> set[str]:
    """Return the dotted names of all folders with an ``__init__.py``."""
    roots = {"commonground": "commonground", **{part: f"commonground.{part}" for part in PARTS}}
    found = set()
    for folder, name in roots.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            inner = init.parent.relative_to(ROOT / folder).parts
            found.add(".".join((name, *inner)))
    return found


def main() -> None:
    """Build the wheel, compare its packages with the tree, install it apart, import everything."""
    # modules that are gone would be packed from there
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder)
        build = [sys.executable, "-m", "build", "--wheel", "--outdir", folder, str(ROOT)]
        done = subprocess.run(build, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"the wheel does not build:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        wheel = next(temporary.glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            files = archive.namelist()
        packed = {
            f.rpartition("/")[0].replace("/", ".") for f in files if f.endswith("/__init__.py")
        }
        lost = sorted(expected_packages() - packed)
        if lost:
            sys.exit(f"not in the wheel: {', '.join(lost)}")
        import_everything(wheel, temporary)
        run_without_extras(wheel, temporary)
        print(f"{wheel.name}: {len(packed)} packages, {wheel.stat().st_size // 1024} kB")


def import_everything(wheel: Path, temporary: Path) -> None:
    """Import every module of the installed wheel, with this environment's libraries behind it."""
    target = temporary / "installed"
    pip("install", "--no-deps", "--target", str(target), str(wheel))
    # a folder on PYTHONPATH is searched as it is: the editable install's .pth file does not act
    paths = os.pathsep.join(
        (str(target), sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"])
    )
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    subprocess.run(
        [sys.executable, "-S", "-c", IMPORT_ALL, str(target)],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": paths},
        check=True,
    )


def run_without_extras(wheel: Path, temporary: Path) -> None:
    """Install the wheel with its base requirements only; the program must start and show its demo scene."""
    home = temporary / "bare"
    venv.create(home)
    pip("--python", str(home / "bin" / "python"), "install", str(wheel))
    program = str(home / "bin" / "commonground")
    for arguments in (["--help"], ["config", "show"], ["export", "--help"]):
        subprocess.run([program, *arguments], cwd=temporary, check=True, capture_output=True)
    print("the base installation starts without any extra")


def pip(*arguments: str) -> None:
    """Run pip quietly; leave with its own words if it fails."""
    call = [sys.executable, "-m", "pip", "--quiet", *arguments, "--no-compile"]
    # a folder on the path that holds this project would count as the wheel installed already
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(call, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"pip fails:\n{done.stderr[-2000:]}")


if __name__ == "__main__":
    main()
