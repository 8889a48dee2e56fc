"""Run directories: resumed by phase, locked against a second process, never half written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from commonground.atomic import replacing, write_text
from commonground.errors import RunError
from commonground.runs import Run


def test_finished_phases_are_kept(tmp_path: Path) -> None:
    calls: list[str] = []

    def work(name: str) -> dict[str, str]:
        calls.append(name)
        return {"made": name}

    for _ in range(2):
        with Run.open(tmp_path / "run", "test", seed=3, config_yaml="a: 1\n") as run:
            assert run.phase("one", lambda: work("one")) == {"made": "one"}
            run.phase("two", lambda: work("two"))
    assert calls == ["one", "two"]
    assert [p.name for p in Run.read(tmp_path / "run").phases()] == ["one", "two"]
    with Run.open(tmp_path / "run", "test", seed=4, config_yaml="a: 1\n") as run:
        assert not run.done("one")
    with Run.open(tmp_path / "run", "test", seed=4, config_yaml="a: 2\n") as run:
        assert not run.done("one")


def test_a_failed_phase_is_recorded_and_done_again(tmp_path: Path) -> None:
    def fail() -> dict[str, str]:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"), Run.open(tmp_path, "test") as run:
        run.phase("one", fail)
    assert [p.status for p in Run.read(tmp_path).phases()] == ["failed"]
    with Run.open(tmp_path, "test") as run:
        assert run.phase("one", lambda: {"ok": 1}) == {"ok": 1}


def test_one_process_writes_a_run(tmp_path: Path) -> None:
    with Run.open(tmp_path, "test"):
        code = f"from commonground.runs import Run\nwith Run.open({str(tmp_path)!r}, 'test'): pass"
        second = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert "another process" in second.stderr
        assert str(os.getpid()) in second.stderr
    with Run.open(tmp_path, "test"):
        pass


def test_damaged_and_future_manifests(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no run directory"):
        Run.read(tmp_path)
    manifest = tmp_path / "manifest.json"
    spoiled = '{"schema": 1, "phases": {"map": "done"}}'
    for content, message in (
        ("{", "damaged"),
        ("{}", "damaged"),
        (spoiled, "'phases.map'"),
        ('{"schema": 99}', "newer"),
    ):
        manifest.write_text(content)
        with pytest.raises(RunError, match=message):
            Run.read(tmp_path)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_text(file, "old")
    with pytest.raises(ValueError, match="stop"), replacing(file) as temporary:
        temporary.write_text("half")
        raise ValueError("stop")
    assert file.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="is a file, not a folder|in the way"):
        write_text(tmp_path / "file" / "a.txt", "x")
    with pytest.raises(RunError), Run.open(tmp_path / "file", "test"):
        pass
    if Path("/dev/full").exists():
        import errno

        from commonground.atomic import write_error

        assert "disk is full" in str(
            write_error(file := tmp_path / "x", OSError(errno.ENOSPC, "full"))
        )
        assert not file.exists()


def test_writing_leaves_the_mask_of_new_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can only be asked by setting it, which threads that write at once would get wrong."""
    asked: list[int] = []
    monkeypatch.setattr(os, "umask", lambda mask: asked.append(mask) or 0o022)
    write_text(tmp_path / "a.txt", "x")
    assert not asked
    (plain := tmp_path / "b.txt").touch()
    assert (tmp_path / "a.txt").stat().st_mode == plain.stat().st_mode


def test_killed_while_writing_loses_nothing_complete(tmp_path: Path) -> None:
    """A process writes ever larger files and is killed at an arbitrary moment, several times."""
    code = textwrap.dedent(f"""
        import json, pathlib
        from commonground.atomic import write_text
        from commonground.runs import Run
        with Run.open({str(tmp_path)!r}, "test") as run:
            n = len(run.phases())
            while True:
                write_text(run.folder / "data.json", json.dumps(list(range(200_000))))
                n += 1
                run.phase(f"phase {{n}}", lambda: {{"n": n}})
                print(n, flush=True)
    """)
    finished = 0
    for wait_s in (0.05, 0.11, 0.17):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait_s)
        process.send_signal(signal.SIGKILL)
        said = [int(line) for line in process.stdout.read().split()]
        process.wait()
        assert len(json.loads((tmp_path / "data.json").read_text())) == 200_000
        done = [p for p in Run.read(tmp_path).phases() if p.status == "done"]
        assert len(done) >= max(said, default=0)
        assert len(done) > finished
        finished = len(done)


def test_workers_do_not_outlive_the_process_that_started_them(tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "from commonground.workers import worker_pool\n"
        "if __name__ == '__main__':\n"
        "    pool = worker_pool(1)\n"
        "    print(pool.submit(os.getpid).result(), flush=True)\n"
        "    pool.submit(time.sleep, 120)\n"
        "    time.sleep(120)\n"
    )
    script = tmp_path / "parent.py"
    script.write_text(code)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.wait(timeout=60)
    deadline = time.monotonic() + 60
    while Path(f"/proc/{worker}").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not Path(f"/proc/{worker}").exists()
    parent.stdout.close()


def test_workers_begin_with_what_they_need_and_in_the_environment_of_their_pool(
    tmp_path: Path,
) -> None:
    code = (
        "import os, sys\n"
        "from commonground.workers import worker_pool\n"
        "def begun():\n"
        "    return 'numpy' in sys.modules, os.environ['WHEN']\n"
        "if __name__ == '__main__':\n"
        "    for os.environ['WHEN'] in ('before', 'now'):\n"
        "        with worker_pool(1, 'numpy', 'no.such.module') as pool:\n"
        "            print(*pool.submit(begun).result())\n"
        "    print('numpy' in sys.modules, 'OPENBLAS_NUM_THREADS' in os.environ)\n"
    )
    script = tmp_path / "parent.py"
    script.write_text(code)
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    said = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert said.splitlines() == ["True before", "True now", "False False"]


def test_a_device_is_written_into_and_stays_what_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(RunError, match="nobody reads"):
        write_text(pipe, "lost")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "through")
    assert os.read(reader, 100) == b"through" and pipe.is_fifo()
    os.close(reader)
    link = tmp_path / "full"
    link.symlink_to("/dev/full")
    with pytest.raises(RunError, match="disk is full"):
        write_text(link, "lost")
    assert link.is_char_device() and [p.name for p in tmp_path.iterdir() if p.is_file()] == []
    with pytest.raises(RunError, match="folder of that name"):
        write_text(tmp_path, "lost")
