"""Functions compiled by Inductor to GPU code and run on the interpreter; run in a device's process."""

# pyright: basic, reportOptionalMemberAccess=false, reportAttributeAccessIssue=false
import torch
import torch.nn.functional as F

from eagerdiff.suites.tests.device_process import active

FUNCTIONS = {
    "pointwise": lambda x: (x * 2 + 1).relu(),
    "gelu": F.gelu,
    "softmax": lambda x: x.softmax(-1),
    "layer_norm": lambda x: F.layer_norm(x, (x.shape[-1],)),
    "matmul": lambda x: (x @ x.t()).relu(),
    "index": lambda x: x[torch.arange(x.shape[0] - 1, -1, -1)] + 1,
    "cat": lambda x: torch.cat([x, x * 2], 0),
    "sort": lambda x: x.sort(-1).values,
    "cumsum": lambda x: x.cumsum(-1),
    "var": lambda x: x.var(-1),
    "amax": lambda x: x.amax(-1),
    "argmax": lambda x: x.argmax(-1),
    "bfloat16": lambda x: (x.bfloat16() * 1.5 + x.bfloat16()).sigmoid(),
    "index_add": lambda x: torch.zeros(8).index_add(0, torch.arange(x.shape[1]) % 8, x.sum(0)),
    "special": lambda x: sum(
        function(x)
        for function in (
            torch.erf,
            torch.tanh,
            torch.expm1,
            torch.sin,
            torch.floor,
            torch.round,
            torch.lgamma,
            torch.exp2,
        )
    ),
    "powers": lambda x: torch.pow(x.abs(), 1.7) + torch.fmod(x, 0.7) + torch.remainder(x, 0.7) + torch.atan2(x, x + 1),
    "random": lambda x: F.dropout(x, 0.5, training=True) * 0,
}

STATIC_ROWS = ("sort",)
"""What Inductor compiles only where the row's length is known."""


def compare(name: str, sizes: tuple[int, ...]) -> list[tuple[int, int, list[str], float]]:
    """Compile under `dynamic=True`; return size, launches, faults and the largest error at each number of rows."""
    function = FUNCTIONS[name]
    torch._dynamo.reset()
    compiled = torch.compile(function, dynamic=name not in STATIC_ROWS, fullgraph=True)
    results = []
    for rows in sizes:
        x = torch.randn(rows, 16, generator=torch.Generator().manual_seed(rows))
        if name in STATIC_ROWS and rows > 1:
            torch._dynamo.mark_dynamic(x, 0)
        with active().watch(shuffle_seed=7) as watch:
            actual = compiled(x)
        results.append((rows, watch.launches, [fault.describe() for fault in watch.faults], error(actual, function(x))))
    return results


def error(actual: torch.Tensor, expected: torch.Tensor) -> float:
    """Return the largest difference; infinity where shape, dtype or the place of NaN differs."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return float("inf")
    actual, expected = actual.double(), expected.double()
    if not torch.equal(actual.isnan(), expected.isnan()):
        return float("inf")
    return max((actual - expected).nan_to_num().abs().flatten().tolist(), default=0.0)


def unsafe_index(reach: int) -> tuple[list[tuple[str, int]], list[float]]:
    """Index without a bounds check, up to `reach` of 4 elements."""
    compiled = torch.compile(lambda x, at: torch.ops.aten._unsafe_index(x, [at]) * 1, fullgraph=True)
    with active().watch() as watch:
        out = compiled(torch.ones(4), torch.arange(reach))
    return [(fault.kind, fault.offset) for fault in watch.faults], out.tolist()


def checked_index(reach: int) -> list[float]:
    """Index as eager does, with Inductor's assertion."""
    with active().watch():
        return torch.compile(lambda x, at: x[at] + 0, fullgraph=True)(torch.ones(4), torch.arange(reach)).tolist()


def unwritten() -> list[float]:
    """Read memory that was never written."""
    with active().watch():
        return torch.compile(lambda x: torch.empty(x.shape[0]) + x, fullgraph=True)(torch.ones(3)).tolist()


def recompilations() -> list[int]:
    """Count the graphs compiled for a function that allocates, in watched and unwatched calls."""
    graphs = []

    def count(graph, _):
        graphs.append(graph)
        return graph

    compiled = torch.compile(lambda x: torch.empty_like(x).copy_(x) + x.new_empty(2).fill_(1).sum(), backend=count)
    counts = []
    for watched in (True, False, True):
        if watched:
            with active().watch():
                compiled(torch.ones(3))
        else:
            compiled(torch.ones(3))
        counts.append(len(graphs))
    return counts


def drivers() -> tuple[str, int]:
    """Return the target that Triton sees, and how many Triton kernels a compiled function launched."""
    from triton.runtime import driver

    target = driver.active.get_current_target()
    return f"{target.backend}:{target.arch}", compare("pointwise", (7,))[0][1]


def wide_number() -> list[float]:
    """Return the errors of functions of a float64 tensor without dims, which Inductor passes as a number."""

    def function(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return torch.log1p(x), x * y, torch.nextafter(y, x)

    x, y = torch.tensor(0.3, dtype=torch.float64), torch.linspace(-1, 1, 9, dtype=torch.float64)
    return [error(got, want) for got, want in zip(torch.compile(function)(x, y), function(x, y), strict=True)]
