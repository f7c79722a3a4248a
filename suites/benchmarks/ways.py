"""The work of a way of compiling against another's of the same program: of dynamic sizes against static ones.

`python -m eagerdiff.suites.benchmarks.ways symbolic` runs every fixed workload of an operator, call after call, under
the back ends whose work can be counted, and prints where a way runs more operations, or moves more elements, than the
static way does in the same call; it ends with 1 where one does. Work is counted: no clock, and no noise. Buckets are
left out: they multiply padding on purpose.
"""

import sys
from collections.abc import Iterator, Mapping

import torch

from eagerdiff import Implementation, Mode, Operator, Work, Workload, fixed_workloads, parse_device, work_of

from .subjects import catalog

COUNTED = ("dynamo", "aot_eager", "aot_decomp")
"""Back ends whose graphs run operation by operation; of AOTAutograd on, `x @ w` of unbacked sizes is a batched product
with w expanded, and of others one product: what this found first."""


def more(work: Mapping[str, Work], base: str) -> dict[str, Work]:
    """Return the ways that do more than one of them, by name."""
    least = work[base]
    return {
        name: one for name, one in work.items() if one.operations > least.operations or one.elements > least.elements
    }


def works(operator: Operator, way: Implementation, workload: Workload) -> list[Work]:
    """Return the work of each call of a workload, once all of them have compiled.

    Raises whatever the way raises.
    """
    torch.compiler.reset()
    function = way.build(workload.cases[0])
    for case in workload.cases:
        operator.inputs(case, "cpu").bound(function)()
    return [work_of(operator.inputs(case, "cpu").bound(function)) for case in workload.cases]


def lines(operator: Operator, ways: Mapping[str, Implementation], workload: Workload) -> Iterator[str]:
    """Say of each call which ways of a back end do more than the static one; of ways that raise, nothing."""
    for backend in COUNTED:
        found: dict[str, list[Work]] = {}
        for way in ways.values():
            if way.backend == backend and not way.variant and way.mode is not None and not way.mode.padded:
                if any(way.unsupported(case) for case in workload.cases):
                    continue
                try:
                    found[way.name] = works(operator, way, workload)
                except Exception as error:  # noqa: BLE001 - a failure is the search's finding, not this one's
                    yield f"{way.name} raises {type(error).__name__}"
        base = f"{backend}.{Mode.STATIC}"
        for at in range(len(workload.cases)) if base in found else ():
            of_call = {name: each[at] for name, each in found.items()}
            for name, work in more(of_call, base).items():
                yield f"MORE {name} in call {at}: {work} where {base} does {of_call[base]}"


def main(name: str, chosen: list[str]) -> int:
    """Print what is said of an operator's fixed workloads, of all where none is named; return the exit code."""
    operator, ways = catalog().operators[name], catalog().implementations[name]
    parse_device("cpu").activate()
    above = False
    for title, workload in fixed_workloads(operator).items():
        if chosen and title not in chosen:
            continue
        for line in lines(operator, ways, workload):
            above = above or line.startswith("MORE")
            print(f"{title}: {line}", flush=True)
    return int(above)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
