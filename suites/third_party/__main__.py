"""Check the kernels of published packages: `python -m eagerdiff.suites.third_party [PACKAGE | PACKAGE.KERNEL ...]`.

A package's source is fetched where no variable names it. Results go to `docs/third_party.jsonl`, the page is
written from them by `python docs/third_party.py`. Exit code 0: nothing that is not read; 1: a failure of a kernel of
which no finding is; 2: no such package.
"""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Iterator

from eagerdiff import CheckFailed, check
from eagerdiff.suites import third_party
from eagerdiff.suites.third_party.fetching import NotThereError, fetch
from eagerdiff.suites.third_party.judged import Judged, is_read, keep
from eagerdiff.suites.third_party.package import Adapted, Package


def adapters() -> list[tuple[Package, list[Adapted]]]:
    """Return every package with its adapted kernels."""
    names = sorted(one.name for one in pkgutil.iter_modules(third_party.__path__) if not one.name.startswith("_"))
    modules = (importlib.import_module(f"{third_party.__name__}.{name}") for name in names)
    return [(module.PACKAGE, list(module.KERNELS)) for module in modules if hasattr(module, "KERNELS")]


def judge(package: Package, adapted: Adapted, seconds: float, seed: int) -> Judged:
    """Check one kernel."""
    name = adapted.kernel.__name__.removeprefix(f"{package.module}.")
    told = Judged(package=package.module, source=package.source, kernel=name, calls=0, workloads=0)
    try:
        checked = check(
            kernel=adapted.kernel, reference=adapted.reference, seconds=seconds, seed=seed, **adapted.arguments
        )
    except CheckFailed as failed:
        checked = failed.checked
    except ValueError as error:
        return told.model_copy(update={"not_run": str(error)})
    (way,) = checked.ways.values()
    failures = [finding.verdict.describe() for finding in way.findings]
    return told.model_copy(
        update={"calls": way.cases, "workloads": way.workloads, "failures": failures, "not_run": way.broken}
    )


def main(arguments: list[str]) -> int:
    """Check what is named, by default all; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m eagerdiff.suites.third_party", description=__doc__)
    parser.add_argument("names", nargs="*", help="PACKAGE or PACKAGE.KERNEL")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each kernel's search")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dry-run", action="store_true", help="keep no results")
    options = parser.parse_args(arguments)
    wanted = list(_wanted(options.names))
    if not wanted:
        print(
            f"no kernel of that name: there are {', '.join(package.module for package, _ in adapters())}",
            file=sys.stderr,
        )
        return 2
    surprises = 0
    for number, (package, adapted) in enumerate(wanted, 1):
        try:
            fetch(package)
        except NotThereError as error:
            print(f"[{number}/{len(wanted)}] {adapted.kernel.__name__}: {error}", flush=True)
            continue
        one = judge(package, adapted, options.seconds, options.seed)
        read = is_read(one)
        surprises += bool(one.failures) and not read
        print(f"[{number}/{len(wanted)}] {_line(one, read=read)}", flush=True)
        if not options.dry_run:
            keep([one])
    return 1 if surprises else 0


def _wanted(names: list[str]) -> Iterator[tuple[Package, Adapted]]:
    for package, kernels in adapters():
        for adapted in kernels:
            if not names or package.module in names or adapted.kernel.__name__ in names:
                yield package, adapted


def _line(one: Judged, *, read: bool) -> str:
    if one.not_run:
        said = f"not run: {one.not_run}"
    elif one.failures:
        said = f"{'fails, as read' if read else 'FAILS'}: {'; '.join(one.failures)}"
    else:
        said = "right"
    return f"{one.package}.{one.kernel}: {one.calls} calls, {said[:200]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
