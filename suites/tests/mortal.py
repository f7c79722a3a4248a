"""A campaign that is killed: searched by forked processes, with workers that are no processes, for a kill a moment.

`python -m eagerdiff.suites.tests.mortal FOLDER` prepares once and then reads lines of JSON, each a `Life`; it answers
each with how the process ended. A process that cannot end is killed after a minute, and answers `hung`.
"""

import itertools
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel

from eagerdiff.harness import report
from eagerdiff.harness.campaign import Campaign, Progress, hand
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.fleet import remote_hand
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.shard import Shard
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Task, WorkerPool
from eagerdiff.harness.processes.task import resolve
from eagerdiff.harness.search.batch import Batch
from eagerdiff.harness.search.hunt import Report, Shrinking
from eagerdiff.harness.search.search_process import Order
from eagerdiff.harness.search.searcher import Answers
from eagerdiff.suites.tests.crews import fleet
from eagerdiff.suites.tests.misbehaving import BAD, OPERATOR, SPEC

NAMES = ["right", "wrong", "segfault"]
HUNG_SECONDS = 60.0


class Life(BaseModel):
    """Say how a campaign is begun, and how it ends."""

    name: str
    """Of the journal; the report stands beside."""
    workloads: int = 40
    """After how many in all it ends by itself."""
    kill_after: float | None = None
    """Seconds from the first line of the journal."""
    crews: int = 0
    """How many crews search for it; none: it searches by itself."""
    lost: float = 0.0
    """The chance that a crew is lost, at every line."""
    shard: str = "1/1"
    seed: int = 0
    file_bytes: int | None = None
    """The longest that a file may get: as if the disk were full."""
    clock_back: bool = False
    """Whether the clock is set back by an hour now and then."""


class Unreal:
    """Stand in for a worker: outcomes follow from the sizes alone."""

    def __init__(self, *_: object) -> None:
        self._stopped = False

    def run(self, task: Task, limits: object = None) -> Outcome:
        """Judge a task."""
        time.sleep(0.0005)
        verdicts = [_verdict(task.implementation, case["size"]) for case in task.workload]
        return Outcome(verdicts=verdicts, seconds=0.0005)

    def stop(self) -> None:
        """Do nothing: no task takes long."""

    prepare = close = stop

    def renew(self, task: Task) -> None:
        """Do nothing: no task changes anything."""


class Near:
    """Stand in for a searcher: draw here, where a kill reaches it."""

    def __init__(self, *_: object) -> None:
        self._stopped = False

    def explore(self, order: Order, answers: Answers) -> Report:
        """Explore a batch."""
        operator, implementation = resolve(order.task)
        batch = Batch(operator, implementation, order.device, order.index, order.campaign_seed)

        def run(workload: Workload) -> Outcome:
            return answers.run(workload, ())

        return batch.explore(run, answers.claim, answers.going, Shrinking(order.seconds, order.runs))

    def stop(self) -> None:
        """Do nothing: no drawing takes long."""

    def close(self) -> None:
        """Do nothing: there is no process."""


class NoPool(WorkerPool):
    """Start no process."""

    def prepare(self, devices: object) -> None:
        """Do nothing."""


def _verdict(implementation: str, size: int) -> Verdict:
    if size < BAD or implementation == "right":
        return passed()
    status = Status.WRONG_VALUE if implementation == "wrong" else Status.RAISED
    return Verdict(status=status, reason=f"{implementation} from {BAD} on", oracle=Oracle.EXACT)


def live(life: Life, folder: Path) -> None:
    """Search, tell what is on record by lines in a file, and write the report and what it holds."""
    hand.Worker = Unreal  # pyright: ignore[reportAttributeAccessIssue, reportPrivateImportUsage]
    hand.Searcher = Near  # pyright: ignore[reportAttributeAccessIssue, reportPrivateImportUsage]
    remote_hand.WAIT_SECONDS = 0.0
    if life.file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (life.file_bytes, resource.RLIM_INFINITY))

    if life.clock_back:
        time.time = _setting_back(time.time)

    def tell(told: Progress) -> None:
        os.pwrite(pipe, json.dumps([told.workloads, told.findings]).encode().ljust(40), 0)
        if told.workloads >= life.workloads and not stopped:
            stopped.append(True)
            campaign.stop()

    stopped: list[bool] = []
    pipe = os.open(folder / f"{life.name}.told", os.O_RDWR | os.O_CREAT)
    campaign = Campaign(
        load([SPEC]),
        implementations=NAMES,
        budget=3600.0,
        slots=2,
        journal=folder / f"{life.name}.journal",
        progress=tell,
        worker_pool=NoPool(),
        shrink_seconds=0.5,
        seed=life.seed,
        shard=Shard.parse(life.shard),
        workforce=fleet(SPEC, OPERATOR.name, life.crews, chance=life.lost, seed=life.seed) if life.crews else None,
    )
    results = campaign.run()
    with suppress(OSError):
        report.write(results, folder / life.name)
    if life.file_bytes is None:
        (folder / f"{life.name}.results").write_text(results.model_dump_json())
    elif not results.broken:
        os._exit(3)


def _setting_back(clock: Callable[[], float]) -> Callable[[], float]:
    """Return a clock that is set back by an hour each hundredth time that it is read."""
    read = itertools.count()
    return lambda: clock() - 3600.0 * (next(read) // 100)


def attend(pid: int, life: Life, folder: Path) -> str:
    """Wait for a process, or kill it at its time; return how it ended."""
    ends, journal = time.monotonic() + HUNG_SECONDS, folder / f"{life.name}.journal"
    size = journal.stat().st_size if journal.exists() else 0
    if life.kill_after is not None:
        while not (journal.exists() and journal.stat().st_size > size) and time.monotonic() < ends:
            time.sleep(0.0005)
        time.sleep(life.kill_after)
        os.kill(pid, signal.SIGKILL)
    while time.monotonic() < ends:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return str(os.waitstatus_to_exitcode(status))
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "hung"


def main(folder: Path) -> None:
    """Live as often as is asked for."""
    load([SPEC])
    for line in sys.stdin:
        lives = [Life.model_validate(given) for given in json.loads(line)]
        pids = [_fork(life, folder) for life in lives]
        print(json.dumps([attend(pid, life, folder) for pid, life in zip(pids, lives, strict=True)]), flush=True)


def _fork(life: Life, folder: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        live(life, folder)
        code = 0
    except ValueError as error:
        (folder / f"{life.name}-{os.getpid()}.refused").write_text(str(error))
        code = 2
    except BaseException as error:  # noqa: BLE001  told by whoever asked for it
        print(repr(error), file=sys.stderr, flush=True)
    finally:
        os._exit(code)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
