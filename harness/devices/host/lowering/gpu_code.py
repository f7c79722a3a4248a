"""What TTIR has and the back ends of GPUs do not compile: a kernel that asks for it fails on every GPU.

Seen with Triton 3.6, 3.7 and 3.9 for sm_90 and sm_100 (`PassManager::run failed`), which hold eight bits as integers:
`llvm.fadd` of them is no operation, and their conversions have no table for these pairs.
"""

from eagerdiff.harness.devices.host.lowering.elements import FLOAT8
from eagerdiff.harness.devices.host.mlir.operation import Operation

_ARITHMETIC = frozenset(
    f"{dialect}.{name}"
    for dialect, names in (
        ("arith", ("addf", "subf", "mulf", "divf", "remf", "negf", "cmpf")),
        ("arith", ("maxnumf", "minnumf", "maximumf", "minimumf")),
        ("math", ("fma",)),
    )
    for name in names
)


class NotOnGpus(RuntimeError):
    """The kernel has something that no GPU's back end compiles; the message names it, and says what to write."""


def refused_by_gpus(operation: Operation) -> str:
    """Return what of an operation no GPU's back end compiles, and what to write instead; empty where it does."""
    if not operation.operands or not operation.results:
        return ""
    source, target = operation.operands[0].type.element, operation.results[0].type.element
    pairs = (source, target), (target, source)
    if operation.name in _ARITHMETIC and source in FLOAT8:
        return f"{operation.name} of {source}: convert to a wider type first"
    if operation.name == "tt.fp_to_fp" and any(pair[0] in FLOAT8 and pair[1] in ("f64", *FLOAT8) for pair in pairs):
        return f"conversion of {source} to {target}: convert to float32 between"
    return ""
