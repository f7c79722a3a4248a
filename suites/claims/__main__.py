"""`python -m eagerdiff.suites.claims [--json FILE] [NAME ...]`: measure what others claim, a line a figure.

Exit code 0: all were measured; 2: one was not, and why. Figures are CPU times of one thread: run nothing beside it.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from eagerdiff import Metric
from eagerdiff.suites.claims.claim import Claim
from eagerdiff.suites.claims.taking import Untaken, claims, take


def main(arguments: list[str]) -> int:
    """Measure the claims that are named, or all; return the exit code."""
    out: Path | None = None
    if arguments[:1] == ["--json"]:
        if len(arguments) < 2:
            print("claims: --json needs a file", file=sys.stderr)
            return 2
        out, arguments = Path(arguments[1]), arguments[2:]
    known = claims()
    if unknown := [name for name in arguments if name not in known]:
        print(f"claims: there is no claim {unknown[0]!r}: one of {', '.join(known)}", file=sys.stderr)
        return 2
    found: dict[str, list[Metric]] = {}
    failed = False
    for name in arguments or known:
        try:
            found[name] = take(known[name])
            show(known[name], found[name])
        except Untaken as error:
            failed = True
            print(f"claims: {error}", file=sys.stderr, flush=True)
    if out is not None:
        data = {name: [asdict(one) for one in metrics] for name, metrics in found.items()}
        out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 2 if failed else 0


def show(claim: Claim, metrics: list[Metric]) -> None:
    """Print a claim and its figures."""
    print(f"{claim.name}: {claim.says}\n  {claim.source}" + (f"\n  here: {claim.twin}" if claim.twin else ""))
    for one in metrics:
        of = f", {one.of}" if one.of else ""
        print(f"  {one.value:12,.4g} {one.unit:9} {one.what}: {one.by}{of}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
