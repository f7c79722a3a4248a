"""The fork server: a process that has imported everything and forks workers on request.

It stays single-threaded and never initialises CUDA, since neither survives a fork. It ends when the campaign does
(the control socket closes), and its workers end with it. A guardian, which is its parent and imports nothing, adopts
and ends what it leaves behind, also where it is killed.
"""

import contextlib
import gc
import importlib
import json
import os
import shutil
import socket
import sys
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from eagerdiff.harness.internals.forked_cuda import is_in_bad_fork
from eagerdiff.harness.internals.preloading import COMPILERS
from eagerdiff.harness.processes.kinship import adopt_orphans, end, stand_guard, sweep
from eagerdiff.harness.processes.spare import LENT, LOOK_SECONDS, Spare

PRELOADED = ("torch", "triton", *COMPILERS)
"""Imported before the first fork; one that is missing in this torch is left out."""
EXECUTION = ("execution", "rehearsal", "rejudging", "baseline_execution")
"""Modules of `harness.execution` that a worker may need."""
TASKS = "eagerdiff.harness.processes.serving"
"""The module whose `serve` runs in a worker, where the order names no other."""
GRACE = 0.5
"""Seconds that a worker whose channel closed has to end by itself before it is killed."""


def main(configuration: str) -> None:
    """Prepare as `configuration` (JSON) says, then fork workers until the parent is gone.

    It holds device, control, catalog and exhibits.
    """
    config: dict[str, Any] = json.loads(configuration)
    control = socket.socket(fileno=config["control"])
    if not config.get("bare"):  # else it was there before
        _be_guarded(control, Path(config["exhibits"]))
    problems = [] if config.get("bare") else prepare(config["device"], config["catalog"])
    if config["device"] == "cuda" and _spoilt_for_cuda():  # other devices need no driver, and must stay prepared
        _begin_again(config, control)
    control.send(json.dumps({"ready": os.getpid(), "problems": problems}).encode()[:60_000])
    children: set[int] = set()
    LENT.spare = spare = Spare()
    try:
        while True:
            _see_to(spare, control)
            data, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 2)
            if not data:
                return
            order: dict[str, Any] = json.loads(data)
            if "reap" in order:
                answer = _reap(order["reap"], children, spare)
            else:
                answer = _fork(order, descriptors, control, children)
            control.send(json.dumps(answer).encode())
    except (ConnectionError, BrokenPipeError):
        return
    finally:
        sweep()


def _see_to(spare: Spare, control: socket.socket) -> None:
    """Wait for an order of the campaign's; start a spare process meanwhile, where a worker asks for one."""
    while True:
        ready = wait([control, spare.waiting]) if spare.pid is None else wait([control], LOOK_SECONDS)
        if control in ready:
            return
        spare.see_to_it()


def _be_guarded(control: socket.socket, exhibits: Path) -> None:
    """Go on under a guardian; where the campaign was killed, folders whose names begin with `exhibits` go with us."""
    campaign = os.getppid()

    def clear() -> None:
        if os.getppid() != campaign:
            for folder in exhibits.parent.glob(f"{exhibits.name}-*"):
                shutil.rmtree(folder, ignore_errors=True)

    stand_guard(control.close, clear)
    adopt_orphans()


def prepare(device_name: str, catalog: list[list[Any]] | None) -> list[str]:
    """Activate the device, import the frameworks and the catalog; return problems of the catalog, one line each."""
    gc.disable()  # what is imported stays: looking through it for garbage takes a fifth of the time
    from eagerdiff.harness.devices import parse

    parse(device_name).activate()
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    import torch

    torch.set_num_threads(1)
    for name in EXECUTION:
        importlib.import_module(f"eagerdiff.harness.execution.{name}")
    from eagerdiff.harness.execution.state.namespaces import original
    from eagerdiff.harness.internals.dynamo_guards import leave_out_timing
    from eagerdiff.harness.internals.inductor_units import compile_together

    leave_out_timing()
    if device_name == "cpu":
        compile_together()
    problems: list[str] = []
    if catalog is not None:
        from eagerdiff.harness.catalog.catalog import declared_here, load
        from eagerdiff.harness.catalog.plugin import from_parent
        from eagerdiff.harness.processes.warming import warm_up

        found = load(*map(from_parent, catalog), strangers=())
        problems = found.problems
        if device_name != "cuda":  # which must not be touched before a fork
            warm_up({one.stage for group in found.implementations.values() for one in group.values()})
        declared_here()  # with the search path as it is now
    original()
    gc.collect()
    gc.freeze()  # keeps the collector from touching, and so copying, the shared pages
    gc.enable()
    return problems


def _spoilt_for_cuda() -> bool:
    """Tell whether some import touched the GPU driver, so that no process forked from here could use CUDA."""
    torch = sys.modules.get("torch")
    if torch is None or torch.version.cuda is None:
        return False
    pid = os.fork()
    if pid == 0:
        os._exit(int(is_in_bad_fork()))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0


def _begin_again(config: dict[str, Any], control: socket.socket) -> None:
    """Become a fork server that imports nothing ahead: its workers start slower, and may use CUDA."""
    os.set_inheritable(control.fileno(), True)
    os.execv(sys.executable, [*sys.orig_argv[:-1], json.dumps({**config, "bare": True})])


def _fork(order: dict[str, Any], descriptors: list[int], control: socket.socket, children: set[int]) -> dict[str, Any]:
    fork_server = os.getpid()
    serving = importlib.import_module(order["serve"] or TASKS)  # once, for all who are forked
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            control.close()
            serving.serve(descriptors, order["limits"], order["device"], fork_server)
            status = 0
        finally:
            os._exit(status)  # never unwind into the fork server's loop
    for descriptor in descriptors:
        os.close(descriptor)
    children.add(pid)
    return {"pid": pid}


def _reap(pid: int, children: set[int], spare: Spare) -> dict[str, Any]:
    """Return the wait status of a worker that ended or is about to; kill it where it does not."""
    status = end(pid, GRACE)
    children.discard(pid)
    others = set() if spare.pid is None else {spare.pid}
    sweep(spared=children | others)  # what the worker left behind has been adopted here
    return {"status": status}
