"""Every notebook runs from top to bottom, and none is kept with outputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def kernel() -> Iterator[AsyncKernelManager]:
    """A kernel that loads the libraries once for all notebooks; the first of them starts it."""
    manager = AsyncKernelManager()
    yield manager
    run_sync(manager.shutdown_kernel)(now=True)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, kernel: AsyncKernelManager) -> None:
    notebook = nbformat.read(path, as_version=4)
    # the names of the notebook before are gone, as in a kernel of its own
    notebook.cells.insert(0, nbformat.v4.new_code_cell(f"%reset -f\n%cd -q {tmp_path}"))
    NotebookClient(notebook, timeout=600, km=kernel).execute()
    said = "".join(o.get("text", "") for c in notebook.cells for o in c.get("outputs", ()))
    assert said


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 4
