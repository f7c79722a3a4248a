"""What a killed build of Inductor leaves in the cache fails nobody who comes later."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from eagerdiff import Status
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.internals.inductor_builds import FOLDER, HOOKS, clear_cut_short
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool

HOLDER = """
import sys, time
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def cut_short(tmp_path: Path) -> Path:
    """Return a cache folder in which a build was killed while it linked."""
    (tmp_path / "ab" / f"abc.main_{FOLDER}").mkdir(parents=True)
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "abc.lock").touch()
    for name in ("abc.main.cpp", "abc.main.o", "abc.main.so", "abd.main.so"):
        (tmp_path / "ab" / name).write_text("half")
    return tmp_path


def left(cache: Path) -> set[str]:
    return {path.name for path in (cache / "ab").iterdir()}


def test_torch_names_the_folder_of_a_build_so() -> None:
    assert HOOKS["folder"].reach() == FOLDER


def test_a_library_whose_build_was_killed_is_removed_and_no_other(cut_short: Path) -> None:
    assert {path.name for path in clear_cut_short(cut_short)} == {"abc.main.o", "abc.main.so"}
    assert left(cut_short) == {"abc.main.cpp", "abd.main.so"}
    assert clear_cut_short(cut_short / "none") == []


def test_a_build_under_the_lock_of_another_is_left_alone(cut_short: Path) -> None:
    """AOTInductor compiles a kernel under its wrapper's lock: it was taken for dead, and its folder taken away."""
    kernel = cut_short / "ab" / f"abe.kernel_{FOLDER}"
    kernel.mkdir()
    (cut_short / "ab" / "abe.kernel.o").write_text("half")
    clear_cut_short(cut_short)
    assert kernel.is_dir()
    assert {"abe.kernel.o", kernel.name} <= left(cut_short)


def test_a_build_that_goes_on_is_left_alone_and_one_that_was_killed_since_is_not(cut_short: Path) -> None:
    before = left(cut_short)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(cut_short / "locks" / "abc.lock")], stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert clear_cut_short(cut_short) == []
        assert left(cut_short) == before
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert len(clear_cut_short(cut_short)) == 2


@pytest.mark.slow
def test_a_compiler_that_was_killed_is_no_finding_of_the_next_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    workload = [{"seed": 0, "dtype": "float32", "rows": 3, "width": 5}]
    task = Task(operator=Spec("examples/rms_norm.py:OPERATOR"), implementation="torch.compile", workload=workload)
    with WorkerPool() as worker_pool, Worker("cpu", Limits(), worker_pool) as worker:
        assert [verdict.status for verdict in worker.run(task).verdicts] == [Status.PASSED]
        libraries = list(tmp_path.glob("cpu/inductor/*/*.main.so"))
        assert libraries
        for library in libraries:
            library.unlink()  # the fork server has loaded what it warmed up with: that file stays whole for it
            library.write_bytes(b"half a library")
            (library.parent / f"{library.stem}_{FOLDER}").mkdir()
        worker.renew()
        assert [verdict.status for verdict in worker.run(task).verdicts] == [Status.PASSED]
