"""Autotuned kernels in the ledger: one compilation a key, and no key for each length."""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

from harness.ledger import Ledger
from harness.ledger.triton import TritonLayer


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


def test_growing_contexts_tune_the_attention_kernel_once(tmp_path: Any) -> None:
    script = (
        "from collections import Counter\n"
        "from harness.devices import offline\n"
        "from harness.ledger import Ledger\n"
        "from suites.paged_attention import OPERATOR\n"
        "kernel = next(one for one in OPERATOR.implementations if one.name == 'triton.varlen')\n"
        "room = {'head_dim': 128, 'dtype': 'float16', 'table_padding': 9000}\n"
        "cases = [OPERATOR.case(context_lens=(n, 2 * n + 1), query_lens=(1, 1), **room) for n in (1, 15, 16, 17, 90)]\n"
        "with Ledger() as ledger, offline.capture('sm_90'):\n"
        "    offline.launch_all(OPERATOR, kernel, cases)\n"
        "print(dict(Counter(record.layer for record in ledger.records)), ledger.compile_count)\n"
    )
    environment = {"TRITON_CACHE_DIR": str(tmp_path), "TRITON_INTERPRET": "0", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.strip() == "{'autotune': 3, 'triton': 1} 1", done.stderr[-1000:]


def note(layer: TritonLayer, name: str) -> None:
    layer._compiled(src=SimpleNamespace(name=name), metadata={}, times=None, cache_hit=False)  # pyright: ignore[reportPrivateUsage]
