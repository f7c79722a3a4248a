"""Kernels with one planted defect each, and what the watch saw of them; run in a device's process."""

# pyright: basic, reportArgumentType=false, reportOperatorIssue=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false, reportInvalidTypeForm=false
import torch
import triton
import triton.language as tl

from eagerdiff.harness.devices import MemoryWatch
from eagerdiff.suites.tests.device_process import active


@triton.jit
def copy_kernel(x_ptr, o_ptr, n, MASK_LOAD: tl.constexpr, MASK_STORE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0) if MASK_LOAD else tl.load(x_ptr + at)
    if MASK_STORE:
        tl.store(o_ptr + at, x, mask=at < n)
    else:
        tl.store(o_ptr + at, x)


@triton.jit
def far_kernel(x_ptr, o_ptr, far, KIND: tl.constexpr):
    if KIND == "load":
        tl.store(o_ptr, tl.load(x_ptr + far))
    elif KIND == "store":
        tl.store(o_ptr + far, 1)
    elif KIND == "atomic":
        tl.atomic_add(o_ptr + far, 1)
    else:
        tl.atomic_cas(o_ptr + far, 0, 1)


@triton.jit
def no_other_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr, tl.sum(tl.load(x_ptr + at, mask=at < n), 0))


@triton.jit
def no_other_extremes_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(o_ptr, tl.max(x, 0))
    tl.store(o_ptr + 1, tl.min(x, 0))


@triton.jit
def one_other_kernel(x_ptr, o_ptr, n, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    if BLOCK:
        at = tl.arange(0, BLOCK)
        tl.store(o_ptr, tl.sum(tl.load(x_ptr + at, mask=at < n, other=OTHER), 0))
    else:
        tl.store(o_ptr, tl.load(x_ptr, mask=n > 0, other=OTHER))


@triton.jit
def block_pointer_kernel(x_ptr, o_ptr, n, PAD: tl.constexpr, CHECK: tl.constexpr, BLOCK: tl.constexpr):
    block = tl.make_block_ptr(x_ptr, shape=(n,), strides=(1,), offsets=(0,), block_shape=(BLOCK,), order=(0,))
    x = tl.load(block, boundary_check=(0,), padding_option=PAD) if CHECK else tl.load(block)
    tl.store(o_ptr, tl.sum(x, 0))


@triton.jit
def descriptor_kernel(x_ptr, o_ptr, rows, claimed, COLUMNS: tl.constexpr, BLOCK: tl.constexpr):
    source = tl.make_tensor_descriptor(
        x_ptr, shape=[claimed, COLUMNS], strides=[COLUMNS, 1], block_shape=[BLOCK, COLUMNS]
    )
    target = tl.make_tensor_descriptor(o_ptr, shape=[rows, COLUMNS], strides=[COLUMNS, 1], block_shape=[BLOCK, COLUMNS])
    target.store([0, 0], source.load([0, 0]) * 2)


@triton.jit
def racing_kernel(o_ptr):
    before = tl.load(o_ptr)
    tl.store(o_ptr, before * 2 + tl.program_id(0))


@triton.jit
def forgetful_kernel(o_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr + at, 1, mask=at < n - 1)


@triton.jit
def waiting_kernel(flag_ptr, o_ptr):
    pid = tl.program_id(0)
    while tl.atomic_add(flag_ptr, 0) < pid:
        pass
    tl.store(o_ptr + pid, pid)
    tl.atomic_add(flag_ptr, 1)


@triton.jit
def pointers_kernel(table_ptr, o_ptr):
    x_ptr = tl.load(table_ptr + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    tl.store(o_ptr + tl.program_id(0), tl.load(x_ptr))


@triton.autotune(configs=[triton.Config({"BLOCK": size}) for size in (16, 32, 64)], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def tuned_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at) if EVEN else tl.load(x_ptr + at, mask=at < n)
    tl.store(o_ptr + at, x, mask=at < n)


@triton.jit
def talking_kernel(x_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    tl.device_print("x", x)
    tl.device_assert(x >= 0, "negative")


@triton.jit
def search_kernel(x_ptr, o_ptr, n: tl.int64, key):
    left: tl.int32 = 0
    right = n
    while left < right:
        middle = (left + right) // 2
        if tl.load(x_ptr + middle) < key:
            left = middle + 1
        else:
            right = middle
    tl.store(o_ptr, min(left, 100).to(tl.int64) + max(n, 1).to(tl.int64))


def watch(seed: int = 0):
    """Open a watch on this process's device."""
    return active().watch(seed)


def seen(watched: MemoryWatch) -> list[tuple]:
    """Return the faults as plain tuples."""
    return [(fault.kind, fault.argument, fault.lanes, fault.offset, fault.extent) for fault in watched.faults]


def copy(size: int, mask_load: bool, mask_store: bool) -> tuple[list[tuple], list[float], list[float]]:
    """Copy `size` numbers, fenced by others, in blocks of 16; return faults, the copy, the fence behind it."""
    x, arena = torch.arange(64.0), torch.full((64,), -1.0)
    with watch() as watched:
        copy_kernel[(triton.cdiv(size, 16),)](x[:size], arena[:size], size, mask_load, mask_store, 16)
    return seen(watched), arena[:size].tolist(), arena[size:].tolist()


def copy_strided(columns: int) -> list[tuple]:
    """Copy within a view whose last row ends before its storage does."""
    x = torch.zeros(4, 16)[:, :columns]
    out = torch.zeros(64)
    with watch() as watched:
        copy_kernel[(4,)](x, out, 64, False, True, 16)
    return seen(watched)


def far(kind: str, distance: int) -> tuple[list[tuple], list[int]]:
    """Reach `distance` elements away."""
    x, out = torch.zeros(4, dtype=torch.int32), torch.zeros(4, dtype=torch.int32)
    with watch() as watched:
        far_kernel[(1,)](x, out, distance, kind)
    return seen(watched), out.tolist()


class _Pointing:
    """What Triton takes for a tensor: an address and a dtype."""

    def __init__(self, tensor: torch.Tensor, at: int) -> None:
        self.dtype = tensor.dtype
        self.address = tensor[at].data_ptr()

    def data_ptr(self) -> int:
        return self.address


class _Holding(_Pointing):
    """The same, which holds the tensor too."""

    def __init__(self, tensor: torch.Tensor, at: int) -> None:
        super().__init__(tensor, at)
        self.kept = tensor


def pointing(holds: bool, kind: str, distance: int) -> tuple[list[tuple], list[int]]:
    """Reach `distance` elements away from the third of four, by what only points there."""
    x = torch.zeros(4, dtype=torch.int32)
    into = (_Holding if holds else _Pointing)(x, 2)
    with watch() as watched:
        far_kernel[(1,)](into, into, distance, KIND=kind)
    return seen(watched), x.tolist()


def far_unwatched(kind: str, distance: int) -> None:
    """Reach away with nothing watching."""
    far_kernel[(1,)](torch.zeros(4), torch.zeros(4), distance, kind)


def masked_sum(n: int, dtype: torch.dtype) -> float:
    """Sum a block of 16 whose lanes from n on are masked, without `other`."""
    out = torch.zeros(1, dtype=dtype)
    with watch():
        no_other_kernel[(1,)](torch.ones(16, dtype=dtype), out, n, 16)
    return out.item()


def masked_extremes(n: int, dtype: torch.dtype) -> list[list[float]]:
    """Take the largest and smallest of 16 numbers whose lanes from n on are masked, in calls of several seeds."""
    found: list[list[float]] = []
    for seed in range(4):
        out = torch.zeros(2, dtype=dtype)
        with watch(seed):
            no_other_extremes_kernel[(1,)](torch.arange(16).to(dtype) - 20, out, n, 16)
        found.append(out.tolist())
    return found


def one_other(n: int, other: int, block: int, dtype: torch.dtype) -> float:
    """Load one number, a scalar or a block of one, that is masked unless n > 0."""
    out = torch.zeros(1, dtype=dtype)
    with watch():
        one_other_kernel[(1,)](torch.ones(1, dtype=dtype), out, n, other, block)
    return out.item()


def block_pointer(n: int, pad: str, check: bool) -> tuple[list[tuple], float]:
    """Sum 16 lanes through a block pointer over n elements."""
    out = torch.zeros(1)
    with watch() as watched:
        block_pointer_kernel[(1,)](torch.ones(n), out, n, pad, check, 16)
    return seen(watched), out.item()


def descriptor(rows: int, claimed: int) -> tuple[list[tuple], list[float]]:
    """Double rows through tensor descriptors, the source's claiming `claimed` rows."""
    out = torch.zeros(rows, 16)
    with watch() as watched:
        descriptor_kernel[(1,)](torch.ones(rows, 16), out, rows, claimed, 16, 8)
    return seen(watched), out.sum(1).tolist()


def race(seed: int) -> tuple[int, int]:
    """Run eight programs that read and write one place; return it and the launches seen."""
    out = torch.zeros(1, dtype=torch.int64)
    with watch(seed) as watched:
        racing_kernel[(8,)](out)
    return int(out.item()), watched.launches


def forget() -> list[float]:
    """Leave the last output unwritten."""
    with watch():
        out = torch.empty(8)
        forgetful_kernel[(1,)](out, 8, 8)
    return out.tolist()


def wait(seed: int) -> list[int]:
    """Run programs that wait for their predecessors."""
    out = torch.zeros(4, dtype=torch.int32)
    with watch(seed):
        waiting_kernel[(4,)](torch.zeros(1, dtype=torch.int32), out)
    return out.tolist()


def pointer_table(wild: bool) -> tuple[list[tuple], list[float]]:
    """Read through pointers that come from memory; one of them wild."""
    tensors = [torch.full((1,), float(index)) for index in range(3)]
    table = torch.tensor([tensor.data_ptr() for tensor in tensors])
    if wild:
        table[1] = 64
    out = torch.zeros(3)
    with watch() as watched:
        pointers_kernel[(3,)](table, out)
    return seen(watched), out.tolist()


def tuned(n: int) -> tuple[list[tuple], list[float]]:
    """Copy with an autotuned kernel with heuristics."""
    x, out = torch.arange(float(n)), torch.zeros(n)
    with watch() as watched:
        tuned_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n)
    return seen(watched), out.tolist()


def talk(values: list[float]) -> None:
    """Print and assert inside a kernel."""
    with watch():
        talking_kernel[(1,)](torch.tensor(values), len(values), 4)


def launch_over(grid: tuple[int, ...]) -> None:
    """Launch over a grid."""
    racing_kernel[grid](torch.zeros(1, dtype=torch.int64))


def search(values: list[int], key: int) -> int:
    """Find a key's place by halves, in the idioms of published kernels, and add the length."""
    out = torch.zeros(1, dtype=torch.int64)
    with watch(), torch.cuda.device(out.device):
        search_kernel[(1,)](torch.tensor(values), out, len(values), key)
    return int(out.item())


def processors() -> int:
    """Ask for the number of multiprocessors as persistent kernels do."""
    return torch.cuda.get_device_properties("cuda").multi_processor_count


def closure(factor: int) -> list[float]:
    """Run a kernel defined inside a function, with a free variable."""

    @triton.jit
    def scaled(o_ptr, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(o_ptr + at, at * factor)

    out = torch.zeros(4)
    scaled[(1,)](out, 4)
    return out.tolist()
