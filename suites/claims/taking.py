"""Taking: each claim is measured in a process of its own, and what was measured is kept for this machine's reports."""

import functools
import hashlib
import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from eagerdiff import Metric, cache_folder, python_command, run_fresh, telling_line
from eagerdiff.suites.claims.claim import Claim

PARTS = ("compiling", "running", "serving")
SECONDS = 900.0
"""That a claim may take, of the clock."""


class Untaken(RuntimeError):
    """Say in one line why a claim could not be measured."""


@functools.cache
def claims() -> Mapping[str, Claim]:
    """Return every claim by name."""
    found = (claim for part in PARTS for claim in import_module(f"{__package__}.{part}").CLAIMS)
    return {claim.name: claim for claim in found}


def take(claim: Claim) -> list[Metric]:
    """Measure a claim in a fresh process with one thread, and keep it for reports; raise Untaken where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "taken.json"
        one_thread = ["env", "OMP_NUM_THREADS=1", "TORCHINDUCTOR_COMPILE_THREADS=1", *_interpreter(claim)]
        code, said = run_fresh([*one_thread, *python_command(__name__, claim.name, str(out))], SECONDS)
        if code != 0:
            raise Untaken(f"{claim.name}: {telling_line(said) or f'no end within {SECONDS:g} s'}")
        data = json.loads(out.read_text(encoding="utf-8"))
    _place(claim).parent.mkdir(parents=True, exist_ok=True)
    _place(claim).write_text(json.dumps(data), encoding="utf-8")
    return _read(claim, data)


def taken(claim: Claim) -> list[Metric]:
    """Return what was measured of a claim on this machine, with this torch and this code; nothing where it was not."""
    try:
        return _read(claim, json.loads(_place(claim).read_text(encoding="utf-8")))
    except OSError:
        return []


def metrics() -> list[Metric]:
    """Return all that was measured here, for a report: the figure that answers a claim first says what is claimed."""
    return [metric for claim in claims().values() for metric in taken(claim)]


def main(name: str, out: str) -> None:
    """Measure a claim in this process, and write it as JSON."""
    torch.set_num_threads(1)
    Path(out).write_text(json.dumps([asdict(one) for one in claims()[name].measure()]), encoding="utf-8")


def _read(claim: Claim, data: list[dict[str, Any]]) -> list[Metric]:
    metrics = [Metric(**one) for one in data]
    first = claim.answers(metrics)[0]
    return [replace(one, published=f"{claim.says} ({claim.source})") if one is first else one for one in metrics]


def _interpreter(claim: Claim) -> list[str]:
    return ["TRITON_INTERPRET=1"] if "interpreter" in claim.twin else []


def _place(claim: Claim) -> Path:
    code = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    digest = hashlib.sha256(code).hexdigest()[:12]
    return cache_folder() / "claims" / f"{torch.__version__}-{digest}" / f"{re.sub(r'[^a-z]', '', claim.name)}.json"
