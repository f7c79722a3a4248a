"""Autotuned kernels in the ledger: one compilation a key, and no key for each length."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness.ledger import Ledger
from harness.ledger.triton import TritonLayer

SHARED = {"sm_80": 166912, "sm_90": 232448, "sm_100": 232448, "gfx942": 65536}
"""Bytes of shared memory that a block may have, by target."""


def test_all_configurations_that_are_timed_for_one_key_are_one_compilation() -> None:
    layer = TritonLayer()

    class Autotuner:
        base_fn = staticmethod(lambda: None)

        def __init__(self) -> None:
            self.cache: dict[int, str] = {}

        def _bench(self, *, config: str) -> None:
            note(layer, "kernel")

        def run(self, key: int) -> None:
            if key not in self.cache:
                for config in ("small", "large", "wide"):
                    self._bench(config=config)
                self.cache[key] = "small"

    layer._watch_autotuner(Autotuner)  # pyright: ignore[reportPrivateUsage]
    tuner, ledger = Autotuner(), Ledger()
    for key in (16, 16, 32):
        tuner.run(key)
    ledger._records = layer.drain(0)  # pyright: ignore[reportPrivateUsage]
    assert ledger.counts == {"autotune:<lambda>": 6, "triton:kernel": 6}
    assert ledger.compile_count == 2
    note(layer, "kernel")
    ledger._records += layer.drain(1)  # pyright: ignore[reportPrivateUsage]
    assert ledger.compile_count == 3


def run_offline(folder: Path, target: str, queries: int) -> dict[str, Any]:
    """Compile `triton.varlen` for contexts that grow, of a size that is worth tuning, and say what was compiled."""
    script = (
        "import json, sys\n"
        "from harness.devices import offline\n"
        "from harness.ledger import Ledger\n"
        "from suites.paged_attention import OPERATOR\n"
        "target, queries = sys.argv[1], int(sys.argv[2])\n"
        "kernel = next(one for one in OPERATOR.implementations if one.name == 'triton.varlen')\n"
        "fields = {'head_dim': 128, 'dtype': 'bfloat16', 'group': 4, 'table_padding': 9000}\n"
        "lengths = [(queries + n, queries + 2 * n + 1) for n in (1, 15, 16, 17, 90)]\n"
        "cases = [OPERATOR.case(context_lens=pair, query_lens=(queries,) * 2, **fields) for pair in lengths]\n"
        "with Ledger() as ledger, offline.capture(target) as reports:\n"
        "    offline.launch_all(OPERATOR, kernel, cases)\n"
        "found = {'timed': sum(record.layer == 'autotune' for record in ledger.records),\n"
        "         'compiles': ledger.compile_count, 'spills': [one.spill_bytes for one in reports],\n"
        "         'shared': max(one.shared_bytes for one in reports)}\n"
        "print(json.dumps(found))\n"
    )
    environment = {"TRITON_CACHE_DIR": str(folder), "TRITON_INTERPRET": "0", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", script, target, str(queries)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("queries", [1, 40], ids=["decode", "prefill"])
@pytest.mark.parametrize("target", SHARED)
def test_growing_contexts_tune_the_attention_kernel_once_and_nothing_spills(
    target: str, queries: int, tmp_path: Path
) -> None:
    found = run_offline(tmp_path, target, queries)

    assert found["timed"] == len(found["spills"]) > 1
    assert found["compiles"] == 1
    assert set(found["spills"]) == {0}
    assert found["shared"] <= SHARED[target]


def note(layer: TritonLayer, name: str) -> None:
    layer._compiled(src=SimpleNamespace(name=name), metadata={}, times=None, cache_hit=False)  # pyright: ignore[reportPrivateUsage]
