"""How fast the search is here and in another checkout: cases judged a second, by back end.

`python -m eagerdiff.suites.benchmarks.against CHECKOUT [operator/implementation@device ...]` searches in both in turn,
round after round, in one slot, and prints medians: what the machine does meanwhile it does to both. `*` stands for all
implementations of an operator on that device. Time counts from the first case judged to the last: imports do not.
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
    "moe/triton.grouped_gemm@interpreted",
    "moe/torch.grouped_mm@cpu",
    "paged_attention/*@interpreted",
    "symbolic/*@cpu",
)
SEARCH = """
import sys, time
from eagerdiff import Campaign
from eagerdiff.suites.benchmarks.subjects import catalog
operator, name, device, seconds, seed = sys.argv[1:]
seen = []
Campaign(
    catalog(), operators=[operator], implementations=None if name == "*" else [f"{operator}/{name}"], devices=[device],
    budget=float(seconds), seed=int(seed), slots=1, shrink_seconds=0.0,
    progress=lambda progress: seen.append((time.monotonic(), progress.cases)),
).run()
(began, first), (ended, last) = seen[0], seen[-1]
print((last - first) / (ended - began))
"""


def rate(checkout: Path, subject: str, seed: int) -> float:
    """Return the cases a second that a search in a checkout judges; raise CalledProcessError where it breaks."""
    implementation, _, device = subject.partition("@")
    operator, _, name = implementation.partition("/")
    command = [sys.executable, "-c", SEARCH, operator, name, device, str(SECONDS), str(seed)]
    env = os.environ | {"PYTHONPATH": str(checkout)}
    done = subprocess.run(command, cwd=checkout, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout)


def main(other: Path, subjects: list[str]) -> None:
    """Search both, and print a line a subject: cases a second there, here, and the median of the rounds' ratios."""
    here = Path(__file__).resolve().parents[2]
    print(f"{'subject':46} {'there':>8} {'here':>8} {'ratio':>6}  rounds")
    for subject in subjects:
        rates: dict[Path, list[float]] = {other: [], here: []}
        for seed in range(ROUNDS):
            for checkout in (other, here) if seed % 2 == 0 else (here, other):
                rates[checkout].append(rate(checkout, subject, seed))
        ratios = [mine / theirs for mine, theirs in zip(rates[here], rates[other], strict=True)]
        medians = [statistics.median(rates[checkout]) for checkout in (other, here)]
        told = " ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"{subject:46} {medians[0]:8.2f} {medians[1]:8.2f} {statistics.median(ratios):6.2f}  {told}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:] or list(SUBJECTS))
