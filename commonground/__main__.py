"""``python -m commonground`` is ``commonground``."""

from __future__ import annotations

from commonground.cli.main import main

if __name__ == "__main__":
    main()
