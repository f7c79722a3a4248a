"""Kernels whose programs meet, or read what nothing wrote, and their right twins; run where the host device is."""

# pyright: basic, reportArgumentType=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
import torch
import triton
import triton.language as tl

from eagerdiff import Case, Implementation, Inputs, Operator, Workload, dynamic
from eagerdiff.harness.devices import MemoryWatch
from eagerdiff.harness.devices.host import installation
from eagerdiff.harness.devices.uninitialised import poisoned
from eagerdiff.harness.execution.execution import execute
from eagerdiff.suites.tests.device_process import active


@triton.jit
def scatter_kernel(index_ptr, x_ptr, o_ptr, ATOMIC: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    index, x = tl.load(index_ptr + at), tl.load(x_ptr + at)
    if ATOMIC:
        tl.atomic_add(o_ptr + index, x)
    else:
        tl.store(o_ptr + index, tl.load(o_ptr + index) + x)


@triton.jit
def tiles_kernel(x_ptr, o_ptr, step, BLOCK: tl.constexpr):
    at = tl.program_id(0) * step + tl.arange(0, BLOCK)
    tl.store(o_ptr + at, tl.load(x_ptr + at) + 1)


@triton.jit
def shift_kernel(x_ptr, o_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + at, tl.load(x_ptr + at + 1))


@triton.jit
def shared_kernel(x_ptr, o_ptr, writer):
    program = tl.program_id(0)
    x = tl.load(x_ptr)
    tl.store(o_ptr + program, x)
    if program == writer:
        tl.store(x_ptr, x + 1)


@triton.jit
def narrow_kernel(x_ptr, o_ptr):
    program = tl.program_id(0)
    tl.store(o_ptr + program, tl.load(x_ptr + program).to(tl.int8))


@triton.jit
def cast_kernel(o_ptr, step):
    tl.store(o_ptr.to(tl.pointer_type(tl.int8)) + tl.program_id(0) // step, 1)


@triton.jit
def look_back_kernel(flag_ptr, o_ptr, VOLATILE: tl.constexpr):
    program = tl.program_id(0)
    tl.store(flag_ptr + program, 1)
    if program > 0:
        flag = tl.load(flag_ptr + program - 1, volatile=VOLATILE)
        tl.store(o_ptr + program, flag)


@triton.jit
def split_kernel(x_ptr, part_ptr, done_ptr, o_ptr, SEM: tl.constexpr, BLOCK: tl.constexpr):
    program, count = tl.program_id(0), tl.num_programs(0)
    tl.store(part_ptr + program, tl.sum(tl.load(x_ptr + program * BLOCK + tl.arange(0, BLOCK)), 0))
    before = tl.atomic_add(done_ptr, 1, sem=SEM)
    if before == count - 1:
        total = 0.0
        for other in range(count):
            total += tl.load(part_ptr + other)
        tl.store(o_ptr, total)


@triton.jit
def wait_kernel(flag_ptr, x_ptr, o_ptr):
    program, last = tl.program_id(0), tl.num_programs(0) - 1
    if program == last:
        tl.store(x_ptr, 7.0)
        tl.atomic_xchg(flag_ptr, 1, sem="release")
    else:
        while tl.atomic_add(flag_ptr, 0, sem="acquire") == 0:
            pass
        tl.store(o_ptr + program, tl.load(x_ptr))


@triton.jit
def sum_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr, tl.sum(tl.load(x_ptr + at, mask=at < n, other=0), 0))


@triton.jit
def fill_kernel(o_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr + at, 1, mask=at < n)


Seen = list[tuple[str, str, str]]


def told(watch: MemoryWatch) -> Seen:
    return [(fault.wrong, fault.kind, fault.argument) for fault in watch.faults]


def scatter(indices: list[int], atomic: bool) -> Seen:
    """Add ones at indices, two a program."""
    watch, out = MemoryWatch(), torch.zeros(8)
    with installation.watching(watch, tracks=True):
        scatter_kernel[(len(indices) // 2,)](torch.tensor(indices), torch.ones(len(indices)), out, atomic, 2)
    return told(watch)


def tiles(step: int, programs: int) -> Seen:
    """Write tiles of 8 elements that begin every `step`."""
    watch, x = MemoryWatch(), torch.zeros(8 * programs)
    with installation.watching(watch, tracks=True):
        tiles_kernel[(programs,)](x, torch.empty_like(x), step, 8)
    return told(watch)


def shift(same: bool) -> Seen:
    """Write where the next program reads, or elsewhere."""
    watch, x = MemoryWatch(), torch.zeros(33)
    with installation.watching(watch, tracks=True):
        shift_kernel[(4,)](x, x if same else torch.empty_like(x), 8)
    return told(watch)


def shared(writer: int) -> Seen:
    """Read one element in every program, and write it in one of them."""
    watch = MemoryWatch()
    with installation.watching(watch, tracks=True):
        shared_kernel[(4,)](torch.zeros(1), torch.zeros(4), writer)
    return told(watch)


def narrow() -> Seen:
    """Read wide elements and write narrow ones of one storage, each in a program of its own."""
    watch, both = MemoryWatch(), torch.zeros(64, dtype=torch.int8)
    with installation.watching(watch, tracks=True):
        narrow_kernel[(8,)](both[:32].view(torch.int16), both[32:])
    return told(watch)


def cast(step: int) -> Seen:
    """Write bytes of wide elements, one in so many programs."""
    watch = MemoryWatch()
    with installation.watching(watch, tracks=True):
        cast_kernel[(8,)](torch.zeros(8, dtype=torch.int32), step)
    return told(watch)


class Count(Case):
    """How many programs count."""

    n: int = dynamic(4, ge=2)


def judged(atomic: bool, filled: bool, seed: int) -> str:
    """Judge a kernel that adds ones to one element, as the search does; return the status and the reason."""

    def count(x: torch.Tensor) -> torch.Tensor:
        out = torch.zeros(8) if filled else torch.empty(8)
        scatter_kernel[(len(x),)](torch.zeros(len(x), dtype=torch.int64), x, out, atomic, 1)
        return out[:1] if filled else torch.full((1,), float(len(x)))

    operator = Operator(
        name="counts",
        case=Count,
        inputs=lambda case, device: Inputs((torch.ones(case.n),)),
        reference=lambda x: x.sum()[None],
        cases=lambda: None,
    )
    implementation = Implementation(operator="counts", name="counted", build=lambda case: count, devices=("host",))
    outcome = execute(operator, implementation, Workload((Count(n=4, seed=seed),)), active(), relations=False)
    return f"{outcome.verdicts[0].status.value}: {outcome.verdicts[0].reason}"


def split(sem: str, interleaves: bool = False, seed: int = 1) -> tuple[Seen, float]:
    """Add up in parts; the last program that is done adds the parts."""
    watch, out = MemoryWatch(seed), torch.zeros(1)
    x, parts, done = torch.arange(64.0), torch.zeros(8), torch.zeros(1, dtype=torch.int32)
    with installation.watching(watch, tracks=True, interleaves=interleaves):
        split_kernel[(8,)](x, parts, done, out, sem, 8)
    return told(watch), out.item()


def look_back(volatile: bool) -> Seen:
    """Have each program look at the flag of the one before it, which a plain store sets."""
    watch = MemoryWatch()
    with installation.watching(watch, tracks=True, interleaves=True):
        look_back_kernel[(4,)](torch.zeros(4, dtype=torch.int32), torch.zeros(4), volatile)
    return told(watch)


def wait(programs: int) -> tuple[Seen, list[float]]:
    """Have all programs wait for the last."""
    watch, out = MemoryWatch(), torch.zeros(programs - 1)
    with installation.watching(watch, tracks=True):
        wait_kernel[(programs,)](torch.zeros(1, dtype=torch.int32), torch.zeros(1), out)
    return told(watch), out.tolist()


def unwritten(dtype: torch.dtype, filled: int) -> Seen:
    """Add up 8 elements of which a kernel wrote some."""
    watch = MemoryWatch()
    with poisoned(), installation.watching(watch, tracks=True):
        x = torch.empty(8, dtype=dtype)
        fill_kernel[(1,)](x, filled, 8)
        sum_kernel[(1,)](x, torch.zeros(1, dtype=dtype), 8, 8)
    return told(watch)


def written_by_torch(dtype: torch.dtype) -> Seen:
    """Add up 8 elements that torch wrote after they were allocated."""
    watch = MemoryWatch()
    with poisoned(), installation.watching(watch, tracks=True):
        x = torch.empty(8, dtype=dtype).zero_()
        sum_kernel[(1,)](x, torch.zeros(1, dtype=dtype), 8, 8)
    return told(watch)
