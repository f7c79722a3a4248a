"""How fast the search is here and in another checkout: cases and workloads judged a second, by back end.

`python -m eagerdiff.suites.benchmarks.against CHECKOUT [operator/implementation@device ...]` searches in both in turn,
round after round, in one slot, and prints medians: what the machine does meanwhile it does to both. With two devices,
`@interpreted:host`, the first is the other checkout's. Time counts from the first case judged to the last: imports do
not. Where a checkout draws fewer calls a workload, it judges fewer cases a second, as each compiles: hence both.
`git worktree add CHECKOUT COMMIT` makes a checkout.
"""

import os
import statistics
import subprocess
import sys
from pathlib import Path

SECONDS = float(os.environ.get("EAGERDIFF_SECONDS", "20"))
"""Of each search."""
ROUNDS = int(os.environ.get("EAGERDIFF_ROUNDS", "3"))
SUBJECTS = (
    "programs/dynamo.dynamic@cpu",
    "programs/aot_eager.dynamic@cpu",
    "programs/inductor.dynamic@cpu",
    "programs/inductor_triton.dynamic@interpreted",
    "symbolic/inductor.dynamic@cpu",
    "moe/torch.grouped_mm@cpu",
    "moe/triton.grouped_gemm@interpreted:host",
    "paged_attention/triton.split_kv@interpreted:host",
    "cache_write/triton.write@interpreted:host",
)
SEARCH = """
import sys, time
from eagerdiff import Campaign
from eagerdiff.suites.benchmarks.subjects import catalog
operator, name, device, seconds, seed = sys.argv[1:]
seen = []
Campaign(
    catalog(), operators=[operator], implementations=[f"{operator}/{name}"], devices=[device],
    budget=float(seconds), seed=int(seed), slots=1, shrink_seconds=0.0,
    progress=lambda progress: seen.append((time.monotonic(), progress.cases, progress.workloads)),
).run()
(began, *first), (ended, *last) = seen[0], seen[-1]
print(*((after - before) / (ended - began) for before, after in zip(first, last)))
"""
Rates = tuple[float, float]
"""Cases and workloads a second."""


def rates(checkout: Path, implementation: str, device: str, seed: int) -> Rates:
    """Return what a search in a checkout judges; raise CalledProcessError where it breaks."""
    operator, _, name = implementation.partition("/")
    command = [sys.executable, "-c", SEARCH, operator, name, device, str(SECONDS), str(seed)]
    env = os.environ | {"PYTHONPATH": str(checkout)}
    done = subprocess.run(
        command, cwd=checkout, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    cases, workloads = map(float, done.stdout.split()[-2:])
    return cases, workloads


def main(other: Path, subjects: list[str]) -> None:
    """Search both, and print a line a subject: what is judged a second there and here, and the rounds' median ratio."""
    here = Path(__file__).resolve().parents[2]
    print(f"{'subject':48} {'cases there':>11} {'here':>7} {'ratio':>6} {'workloads':>10} {'here':>7} {'ratio':>6}")
    for subject in subjects:
        implementation, _, devices = subject.partition("@")
        there, _, own = devices.partition(":")
        on = {other: there, here: own or there}
        found: dict[Path, list[Rates]] = {other: [], here: []}
        for seed in range(ROUNDS):
            for checkout in (other, here) if seed % 2 == 0 else (here, other):
                found[checkout].append(rates(checkout, implementation, on[checkout], seed))
        line = f"{subject:48}"
        for kind, width in ((0, 11), (1, 10)):
            theirs, mine = ([one[kind] for one in found[checkout]] for checkout in (other, here))
            ratio = statistics.median(one / their for one, their in zip(mine, theirs, strict=True))
            line += f" {statistics.median(theirs):{width}.2f} {statistics.median(mine):7.2f} {ratio:6.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:] or list(SUBJECTS))
