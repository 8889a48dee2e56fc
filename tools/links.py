"""Make the git-ignored folder of links through which mypy and editors see the parts as one package."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("mapping", "localization", "planning", "grounding", "datasets")


def main() -> None:
    """Create or refresh ``.mypy_links/commonground``: every core entry, and the five parts beside them."""
    folder = ROOT / ".mypy_links" / "commonground"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {p.name: p for p in (ROOT / "commonground").iterdir() if p.name != "__pycache__"}
    wanted |= {part: ROOT / part for part in PARTS}
    for old in folder.iterdir():
        if old.is_symlink() and old.name not in wanted:
            old.unlink()
    for name, target in wanted.items():
        link = folder / name
        if not link.is_symlink():
            link.symlink_to(target)


if __name__ == "__main__":
    main()
