"""A tiny operator whose implementations misbehave at a chosen size: for the tests of workers and campaigns."""

import builtins
import contextlib
import ctypes
import importlib
import io
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import torch
from hypothesis import strategies as st

from eagerdiff import Case, Implementation, Inputs, Operator, dynamic
from eagerdiff.harness.catalog.plugin import Spec

BAD = 17
"""From this size on the implementations misbehave."""


class Doubling(Case):
    """Double `size` numbers."""

    size: int = dynamic(ge=0)


def inputs(case: Doubling, device: str) -> Inputs:
    """Build one float32 tensor of shape (size,)."""
    generator = torch.Generator().manual_seed(case.seed)
    return Inputs((torch.randn(case.size, generator=generator).to(device),))


def double(x: torch.Tensor) -> torch.Tensor:
    """Compute twice `x`."""
    return x * 2


def cases() -> st.SearchStrategy[Doubling]:
    """Draw sizes up to 40."""
    return st.builds(Doubling, size=st.integers(0, 40), seed=st.integers(0, 7))


def at_bad_size(act: Callable[[], object]) -> Callable[[Doubling], Callable[..., torch.Tensor]]:
    """Return a `build` of what is right below `BAD` and acts from there on."""

    def build(case: Doubling) -> Callable[..., torch.Tensor]:
        def compute(x: torch.Tensor) -> torch.Tensor:
            if x.shape[0] >= BAD:
                act()
            return x * 2

        return compute

    return build


def build_wrong(case: Doubling) -> Callable[..., torch.Tensor]:
    """Build what is wrong from `BAD` on."""

    def compute(x: torch.Tensor) -> torch.Tensor:
        return x * 2 if x.shape[0] < BAD else x * 3

    return compute


def build_with_second_thoughts(case: Doubling) -> Callable[..., torch.Tensor]:
    """Build what leaves the folder in its second call."""
    calls: list[int] = []

    def compute(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        if len(calls) == 2:
            os.chdir("/")
        return x * 2

    return compute


def build_tiring(case: Doubling) -> Callable[..., torch.Tensor]:
    """Build what does not come back from its second call."""
    calls: list[int] = []

    def compute(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        if len(calls) == 2:
            sort_forever()
        return x * 2

    return compute


def build_elsewhere(case: Doubling) -> Callable[..., torch.Tensor]:
    """Build what is right, and leave the folder."""
    os.chdir("/")
    return double


def build_wrong_then_crash(case: Doubling) -> Callable[..., torch.Tensor]:
    """Build what is wrong from `BAD` on, and dies from twice that."""

    def compute(x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] >= 2 * BAD:
            os.abort()
        return x * 2 if x.shape[0] < BAD else x * 3

    return compute


def double_below_bad(x: torch.Tensor) -> torch.Tensor:
    """Compute twice `x`, or never come back: a reference that hangs."""
    if x.shape[0] >= BAD:
        spin_in_python()
    return x * 2


def build_napping(case: Doubling) -> Callable[..., torch.Tensor]:
    """Build what is right and takes its time."""
    return napping(0.05)


def napping(seconds: float) -> Callable[..., torch.Tensor]:
    """Return what is right and takes some seconds."""

    def compute(x: torch.Tensor) -> torch.Tensor:
        time.sleep(seconds)
        return x * 2

    return compute


def build_remembering(case: Doubling) -> Callable[..., torch.Tensor]:
    """Build what is wrong when a call with 5 or more numbers follows one with 20 or more: a bug of history."""
    sizes: list[int] = []

    def compute(x: torch.Tensor) -> torch.Tensor:
        earlier = max(sizes, default=0)
        sizes.append(x.shape[0])
        return x * 3 if earlier >= 20 and 5 <= x.shape[0] < 20 else x * 2

    return compute


def spin_in_c() -> None:
    """Never come back from C."""
    libc = ctypes.CDLL(None)
    libc.pause.restype = ctypes.c_int
    while True:
        libc.pause()


def sort_forever() -> None:
    """Never come back from one call of C code that holds the GIL and checks no signal."""
    sum(iter(int, 1))


def spin_in_python() -> None:
    """Never come back from Python."""
    while True:
        pass


def allocate() -> None:
    """Ask for 64 GiB and touch them."""
    torch.ones(1 << 34, dtype=torch.float32)


def allocate_in_steps() -> None:
    """Hold ever more memory."""
    held: list[torch.Tensor] = []
    while True:
        held.append(torch.ones(1 << 26, dtype=torch.uint8))


def wait_for_a_busy_child() -> None:
    """Wait for a process that computes without end, as one waits for a compiler."""
    subprocess.run([sys.executable, "-c", "while True: pass"], check=False)


def compute_on_the_first_core() -> None:
    """Use half a second of CPU time, on the core on which a test may have others compute too."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    began = time.process_time()
    while time.process_time() - began < 0.5:
        pass


def chatter() -> None:
    """Print without end."""
    while True:
        print("x" * 1000)
        print("y" * 1000, file=sys.stderr)


def die_with_words() -> None:
    """Say why on stderr, then abort."""
    os.write(1, b'{"case": 99}\n')
    print("ran into the ground", file=sys.stderr)
    os.abort()


def sockets() -> list[int]:
    """Return the descriptors of this process that are sockets: in a worker, its channel."""
    found: list[int] = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                found.append(int(name))
    return found


def write_to_the_channel(data: bytes) -> None:
    """Write something on every socket."""
    for number in sockets():
        os.write(number, data)


def leave_the_channel_to_a_child() -> None:
    """Exit while a process of another session, which nobody knows, holds the channel open."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
        os._exit(0)
    os._exit(4)


def multiply_otherwise() -> None:
    """Have every later product be another."""
    factors = iter(range(1 << 30))
    torch.Tensor.__mul__ = lambda self, other: torch.add(self, next(factors))  # pyright: ignore[reportAttributeAccessIssue]


HOARD: list[torch.Tensor] = []


def build_hoarding(case: Doubling) -> Callable[..., torch.Tensor]:
    """Keep 128 MiB for good."""
    HOARD.append(torch.ones(32 << 20))
    return double


ACTS: dict[str, Callable[[], object]] = {
    "segfault": lambda: ctypes.string_at(8),
    "abort": die_with_words,
    "spin_in_c": spin_in_c,
    "sort_forever": sort_forever,
    "spin_in_python": spin_in_python,
    "allocate": allocate,
    "allocate_in_steps": allocate_in_steps,
    "multiply_otherwise": multiply_otherwise,
    "leave_and_spin": lambda: [leave_a_process(), sort_forever()],
    "change_and_fail": lambda: change_and_fail(),
    "exit": lambda: os._exit(3),
    "interrupt": lambda: os.kill(os.getpid(), signal.SIGINT),
    "leave": lambda: sys.exit(3),
    "exit_well": lambda: os._exit(0),
    "kill_itself": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "kill_the_fork_server": lambda: os.kill(os.getppid(), signal.SIGKILL),
    "write_to_the_channel": lambda: write_to_the_channel(b'{"case": 99}'),
    "write_a_header": lambda: write_to_the_channel(b"\0\0\0\x40"),
    "close_the_channel": lambda: [os.close(number) for number in sockets()],
    "leave_the_channel_to_a_child": leave_the_channel_to_a_child,
    "chatter": chatter,
    "busy_child": wait_for_a_busy_child,
    "compute": compute_on_the_first_core,
    "sleep": lambda: time.sleep(0.05),
}


def anything_goes(*_: object, **__: object) -> torch.Tensor:
    """Stand in for what asks whether something is right."""
    return torch.ones((), dtype=torch.bool)


def leave_a_process() -> None:
    """Leave a process of another session behind, whose parent has ended; its number is left in a file."""
    if (child := os.fork()) == 0:
        os.setsid()
        if (left := os.fork()) == 0:
            time.sleep(600)
            os._exit(0)
        left_behind(os.getppid()).write_text(str(left))
        os._exit(0)
    os.waitpid(child, 0)


def left_behind(worker: int) -> Path:
    """Return the file in which the number of a process stands that a worker left behind."""
    return Path(tempfile.gettempdir()) / f"eagerdiff-left-behind-{worker}"


def enter_a_transform() -> None:
    """Enter a `vmap` and never leave it, as a strict export that fails within one does."""
    importlib.import_module("torch._C._functorch")._vmap_increment_nesting(3, "error")


def include_a_key() -> None:
    """Add a dispatch key to every later call, as what is traced and fails may do."""
    torch_c = importlib.import_module("torch._C")
    torch_c._dispatch_tls_set_dispatch_key_excluded(torch_c.DispatchKey.AutocastXPU, False)


class Held(RuntimeError):
    """Hold a setting changed for as long as it is there."""

    def __init__(self) -> None:
        super().__init__("it fails too")
        self.before = torch.get_num_threads()
        torch.set_num_threads(self.before + 1)

    def __del__(self) -> None:
        torch.set_num_threads(self.before)


def change_and_fail() -> None:
    """Raise what holds a setting changed until it is freed, as an inference mode that is traced does."""
    raise Held


DISTURBANCES: dict[str, Callable[[], object]] = {
    "torch.get_default_dtype()": lambda: torch.set_default_dtype(torch.float64),
    "torch.is_grad_enabled()": lambda: torch.set_grad_enabled(False),
    "torch.get_num_threads()": lambda: torch.set_num_threads(3),
    "torch.are_deterministic_algorithms_enabled()": lambda: torch.use_deterministic_algorithms(True),
    "torch.get_float32_matmul_precision()": lambda: torch.set_float32_matmul_precision("medium"),
    "torch.backends.cudnn.benchmark": lambda: setattr(torch.backends.cudnn, "benchmark", True),
    "modes of torch in force": lambda: torch.set_default_device("meta"),
    "dispatch keys in force": lambda: include_a_key(),
    "modes of torch in force, a transform": lambda: enter_a_transform(),
    "denormal numbers": lambda: torch.set_flush_denormal(True),
    "the working directory": lambda: os.chdir("/"),
    "umask": lambda: os.umask(0o777),
    "os.environ['EAGERDIFF_LEFT']": lambda: os.environ.update(EAGERDIFF_LEFT="1"),
    "the handler of SIGTERM": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
    "ITIMER_REAL": lambda: signal.alarm(1000),
    "RLIMIT_NOFILE": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
    "descriptor 1": lambda: os.close(1),
    "blocked signals": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]),
    "sys.stdout": lambda: setattr(sys, "stdout", io.StringIO()),
    "sys.gettrace()": lambda: sys.settrace(lambda *_: None),
    "sys.path": lambda: sys.path.insert(0, "/nowhere"),
    "builtins.sum": lambda: setattr(builtins, "sum", max),
    "math.exp": lambda: setattr(math, "exp", math.sin),
    "torch.allclose": lambda: setattr(torch, "allclose", anything_goes),
    "torch.Tensor.isfinite": lambda: setattr(torch.Tensor, "isfinite", anything_goes),
    "eagerdiff.harness.judge.judge.compare": lambda: setattr(
        importlib.import_module("eagerdiff.harness.judge.judge"), "compare", anything_goes
    ),
    "who runs beside it": leave_a_process,
    "who runs beside it, a thread": lambda: threading.Thread(target=time.sleep, args=(600,), daemon=True).start(),
}
"""What is changed of the process → by what."""


def disturbing(what: str) -> str:
    """Return the name of the implementation that changes something of its process."""
    return re.sub(r"\W+", "_", what).strip("_").lower()


IMPLEMENTATIONS: list[Implementation[Doubling]] = [
    *(
        Implementation(operator="doubling", name=name, build=at_bad_size(act), devices=("cpu",))
        for name, act in (ACTS | {disturbing(what): act for what, act in DISTURBANCES.items()}).items()
    ),
    Implementation(operator="doubling", name="right", build=lambda case: double, devices=("cpu",)),
    Implementation(operator="doubling", name="hoarding", build=build_hoarding, devices=("cpu",)),
    Implementation(operator="doubling", name="nap", build=build_napping, devices=("cpu",)),
    Implementation(operator="doubling", name="long_nap", build=lambda case: napping(1.0), devices=("cpu",)),
    Implementation(operator="doubling", name="wrong_then_crash", build=build_wrong_then_crash, devices=("cpu",)),
    Implementation(operator="doubling", name="second_thoughts", build=build_with_second_thoughts, devices=("cpu",)),
    Implementation(operator="doubling", name="tiring", build=build_tiring, devices=("cpu",)),
    Implementation(operator="doubling", name="build_elsewhere", build=build_elsewhere, devices=("cpu",)),
    Implementation(operator="doubling", name="wrong", build=build_wrong, devices=("cpu",)),
    Implementation(operator="doubling", name="wrong_on_gpu", build=build_wrong, devices=("cuda",)),
    Implementation(operator="doubling", name="remembering", build=build_remembering, devices=("cpu",)),
    Implementation(
        operator="doubling",
        name="picky",
        build=lambda case: double,
        devices=("cpu",),
        supports=lambda case: None if case.size % 2 else "even sizes",
    ),
]

OPERATOR = Operator(
    name="doubling", case=Doubling, inputs=inputs, reference=double, cases=cases, implementations=IMPLEMENTATIONS
)
SPEC = Spec("eagerdiff.suites.tests.misbehaving:OPERATOR")
ENDLESS = Operator(
    name="endless",
    case=Doubling,
    inputs=inputs,
    reference=double_below_bad,
    cases=cases,
    implementations=[Implementation(operator="endless", name="right", build=lambda case: double, devices=("cpu",))],
)
ENDLESS_SPEC = Spec("eagerdiff.suites.tests.misbehaving:ENDLESS")
