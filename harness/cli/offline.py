"""`eagerdiff run OPERATOR --device offline:sm_90`: compile the kernels for a GPU that need not be there."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.devices.offline import OfflineReport

LARGE = 1 << 27
"""Bytes that a fixed workload may need to be compiled for here: its tensors are built."""


def print_offline(out: "Console", catalog: "Catalog", chosen: Collection[str] | None, targets: Collection[str]) -> None:
    """Compile every launch of the fixed workloads for each target and print one line a kernel; nothing runs.

    Raises BadInput where no hand-written kernel was launched.
    """
    from eagerdiff.harness.cli.console import table

    names = ("specialisations", "registers", "spills", "shared", "code")
    made = table("", "implementation", "kernel", "target", *names, right=names)
    rows = [row for target in targets for row in _rows(catalog, chosen, target)]
    if not rows:
        raise BadInput(
            "nothing to compile: no hand-written kernel fits (torch.compile's are compiled by other devices)"
        )
    for row in rows:
        made.add_row(*row)
    out.print(made)
    out.print("registers a thread; bytes spilled a thread, shared a block, of machine code; the most of any")


def _rows(catalog: "Catalog", chosen: Collection[str] | None, target: str) -> Iterator[tuple[str, ...]]:
    from eagerdiff.harness.catalog.requirements import unmet
    from eagerdiff.harness.devices import parse

    for operator in catalog.operators:
        for name, implementation in catalog.implementations[operator].items():
            if (
                not implementation.hand_written
                or unmet(implementation.requires, parse(f"offline:{target}")) is not None
            ):
                continue
            if chosen is None or {name, f"{operator}/{name}"} & set(chosen):
                kernels: dict[str, list[OfflineReport]] = {}
                for report in _reports(catalog, operator, name, target):
                    kernels.setdefault(report.kernel, []).append(report)
                for kernel, found in kernels.items():
                    yield name, kernel, target, *map(str, _figures(found))


def _reports(catalog: "Catalog", operator: str, name: str, target: str) -> "list[OfflineReport]":
    """Launch an implementation over the operator's fixed workloads, the compiler alone answering."""
    from eagerdiff.harness.devices.offline import capture, launch_all
    from eagerdiff.harness.search.fixed import fixed_workloads

    page, implementation = catalog.operators[operator], catalog.implementations[operator][name]
    with capture(target) as reports:
        for workload in fixed_workloads(page).values():
            cases = [case for case in workload.cases if implementation.unsupported(case) is None]
            if cases and not (page.cost and max(page.cost(case).bytes for case in cases) > LARGE):
                launch_all(page, implementation, cases)
    return reports


def _figures(reports: "list[OfflineReport]") -> tuple[int, ...]:
    most = (max(getattr(report, name) for report in reports) for name in _MOST)
    return len(reports), *most


_MOST = ("registers", "spill_bytes", "shared_bytes", "code_bytes")
