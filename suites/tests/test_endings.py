"""Endings: whatever ends a run, its report is valid, said in one line, and never exit code 0."""

import errno
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from eagerdiff.harness.campaign import Campaign, Progress
from eagerdiff.harness.campaign.events import Judged
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.devices import cache_folder
from eagerdiff.harness.processes import WorkerPool
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.triage.signature import failures
from eagerdiff.suites.tests.misbehaving import SPEC
from eagerdiff.suites.tests.test_cli import OPERATOR

UNSHARE = not subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode
EAGERDIFF = [sys.executable, "-m", "eagerdiff.harness.cli"]


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.py").write_text(OPERATOR)
    return f"{tmp_path / 'toy.py'}:OPERATOR"


def nightly(
    toy: str, out: Path, *more: str, budget: str = "2s", implementation: str = "right", seed: str = "0"
) -> list[str]:
    return [
        "nightly",
        "--operator",
        toy,
        "--implementation",
        implementation,
        "--budget",
        budget,
        "--seed",
        seed,
        "--out",
        str(out),
        *more,
    ]


def start(arguments: Sequence[str], **options: object) -> "subprocess.Popen[str]":
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen([*EAGERDIFF, *arguments], text=True, **pipes)  # pyright: ignore[reportCallIssue, reportArgumentType, reportUnknownVariableType]


def searching(out: Path, process: "subprocess.Popen[str]") -> None:
    """Wait until a verdict is on record."""
    journal = out / "journal.jsonl"
    while process.poll() is None and not (journal.exists() and b'"verdict"' in journal.read_bytes()):
        time.sleep(0.05)


def valid(out: Path) -> Results:
    """Read all four files of a report."""
    ElementTree.parse(out / "junit.xml")
    assert (out / "index.html").read_text().rstrip().endswith("</html>")
    assert (out / "summary.md").read_text().startswith("# ")
    assert not list(out.glob(".*.partial"))
    return Results.model_validate_json((out / "report.json").read_bytes())


def lines(text: str) -> list[str]:
    """Return what was said on stderr: nothing but lines of ours."""
    said = text.strip().splitlines()
    assert [line for line in said if not line.startswith("eagerdiff: ")] == []
    return said


@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGHUP])
def test_a_second_signal_and_a_hang_up_leave_a_valid_report(number: signal.Signals, toy: str, tmp_path: Path) -> None:
    out = tmp_path / "report"
    process = start(nightly(toy, out, budget="5m"))
    searching(out, process)
    process.send_signal(number)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = lines(process.communicate(timeout=100)[1])
    assert said[0].startswith("eagerdiff: interrupted")
    assert process.returncode == 0
    results = valid(out)
    assert results.interrupted
    assert results.totals.cases > 0


@pytest.mark.slow
def test_a_folder_belongs_to_one_run_at_a_time_and_is_free_after_a_kill(toy: str, tmp_path: Path) -> None:
    out = tmp_path / "report"
    process = start(nightly(toy, out, budget="5m"))
    searching(out, process)
    before = (out / "journal.jsonl").read_bytes()
    second = subprocess.run([*EAGERDIFF, *nightly(toy, out)], capture_output=True, text=True, timeout=100, check=False)
    assert (second.returncode, len(lines(second.stderr))) == (2, 1)
    assert "another run is writing" in second.stderr
    assert (out / "journal.jsonl").read_bytes().startswith(before)
    process.kill()
    process.communicate()
    third = subprocess.run([*EAGERDIFF, *nightly(toy, out, "--resume", budget="1s")], capture_output=True, check=False)
    assert third.returncode == 0, third.stderr
    assert valid(out).totals.cases > 0


@pytest.mark.slow
def test_what_the_run_before_left_is_kept(toy: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report"
    out.mkdir()
    for run in range(2):
        assert invoke(nightly(toy, out, budget="1s")) in (0, 2)  # a busy machine may judge nothing in that time
        assert ("is kept in" in capfd.readouterr().out) == (run > 0)
    kept = [valid(folder) for folder in (out / "previous" / "1", out)]
    assert len({results.started for results in kept}) == 2
    assert all((folder / "journal.jsonl").stat().st_size for folder in (out / "previous").iterdir())
    assert invoke(nightly(toy, out, "--resume", budget="1s")) in (0, 2)
    assert [folder.name for folder in (out / "previous").iterdir()] == ["1"]


# What cannot be written.

STDOUT = {"/dev/full": ">/dev/full", "closed": ">&-", "a reader that goes": "| head -1"}


def shell(command: str, arguments: Sequence[str], **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run a command line in which $EAGERDIFF stands for a call of ours; bash, for the exit codes of a pipe."""
    call = shlex.join([*EAGERDIFF, *arguments])
    line = command.replace("$EAGERDIFF", call)
    given = os.environ | variables
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, env=given, timeout=200, check=False
    )


@pytest.mark.parametrize("way", [pytest.param(way, marks=pytest.mark.slow) for way in STDOUT])
def test_a_night_that_nobody_reads_is_told_in_one_line_and_its_report_stands(
    way: str, toy: str, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    done = shell(f"$EAGERDIFF {STDOUT[way]}", nightly(toy, out))
    said = [line for line in lines(done.stderr) if "was never judged" not in line]  # a busy machine has no time
    assert len(said) == 1
    assert said[0].startswith("eagerdiff: cannot write to standard output: ")
    assert done.returncode == 2
    assert not valid(out).interrupted


@pytest.mark.parametrize(("way", "code"), [("/dev/full", 2), ("closed", 2), ("a reader that goes", 0)])
def test_a_list_that_cannot_be_printed_is_one_line(way: str, code: int) -> None:
    done = shell(f"$EAGERDIFF {STDOUT[way]}", ["--help"])
    assert (done.returncode, len(lines(done.stderr))) == (code, 1 if code else 0)


@pytest.mark.parametrize("closed", ["2>/dev/full", "2>&-", "<&- >&- 2>&-"])
def test_where_nothing_can_be_said_the_exit_code_stands(closed: str) -> None:
    assert shell(f"$EAGERDIFF {closed}", ["show", "--frobnicate"]).returncode == 2


def test_a_cache_that_takes_no_files_is_one_line(
    toy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cache").write_text("a file, for root may write into any folder")
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path / "cache"))
    assert invoke(nightly(toy, tmp_path / "report")) == 2
    (said,) = lines(capfd.readouterr().err)
    assert str(tmp_path / "cache") in said


def test_nobody_has_no_home_and_a_cache_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EAGERDIFF_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda uid: {}[uid])  # pyright: ignore[reportUnknownLambdaType]
    assert cache_folder().parent == Path(tempfile.gettempdir())


def test_a_traceback_that_no_disk_takes_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("eagerdiff.harness.cli.options.read_catalog", lambda: 1 / 0)
    monkeypatch.setattr(Path, "write_text", full)
    assert invoke(["list"]) == 2
    assert "internal error: ZeroDivisionError" in lines(capfd.readouterr().err)[0]


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_folder_of_temporary_files_that_goes_ends_the_search(
    tmp_path: Path, worker_pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    went: list[float] = []

    def go(told: Progress) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        went.append(time.monotonic())

    journal = tmp_path / "journal"
    results = Campaign(
        load([SPEC]), implementations=["nap"], worker_pool=worker_pool, budget=60.0, journal=journal, progress=go
    ).run()
    assert time.monotonic() - went[0] < 30.0
    assert results.broken == [
        f"the folder {folder} has gone: the search ended, and what failed last may be due to that"
    ]


@pytest.mark.skipif(not UNSHARE, reason="a small disk of one's own needs user namespaces")
@pytest.mark.parametrize(
    ("size", "seed"),
    [(4, "0"), *(pytest.param(size, "20261128", marks=pytest.mark.slow) for size in (4, 8, 12, 40, 60, 80))],
)
def test_a_full_disk_ends_a_night_in_a_line_and_the_report_is_elsewhere(
    size: int, seed: str, toy: str, tmp_path: Path
) -> None:
    """A disk of some KiB; the report of this night takes more. What failed on record is a finding of the report.

    With the first seed the first workload fails; with the other four KiB do not take the first that does.
    """
    (disk := tmp_path / "disk").mkdir()
    mounted = f"mount -t tmpfs -o size={size}k tmpfs {disk} && $EAGERDIFF; code=$?; "
    command = f"unshare -rm bash -c '{mounted} cp {disk}/journal.jsonl {tmp_path}; exit $code'"
    done = shell(command, nightly(toy, disk, budget="20s", implementation="wrong", seed=seed), TMPDIR=str(tmp_path))
    said = lines(done.stderr)
    assert done.returncode == 2, said
    assert 1 <= len(said) <= 2
    (saved,) = re.findall(r"it is in (\S+)", said[-1])
    results = valid(Path(saved))
    on_record = Record(tmp_path / "journal.jsonl")
    judged = [event.outcome for event in on_record.events() if isinstance(event, Judged)]
    assert len(judged) == len(on_record.outcomes)
    assert results.totals.new == any(failures(outcome) for outcome in judged)
    assert on_record.damaged == 0
    assert len(on_record.outcomes) <= results.totals.workloads
