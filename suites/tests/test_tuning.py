"""Autotuned kernels in the ledger: one compilation a key, and no key for each length."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from eagerdiff.harness.ledger import Ledger
from eagerdiff.harness.ledger.triton import TritonLayer
from eagerdiff.suites.tests.targets import SHARED, TARGETS


def test_all_configurations_that_are_timed_for_one_key_are_one_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
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

    monkeypatch.setattr(Autotuner, "_bench", layer._noted(Autotuner._bench))  # pyright: ignore[reportPrivateUsage]
    tuner, ledger = Autotuner(), Ledger()
    for key in (16, 16, 32):
        tuner.run(key)
    ledger._records = layer.drain(0)  # pyright: ignore[reportPrivateUsage]
    assert ledger.counts == {"autotune:<lambda>": 6, "triton:kernel": 6}
    assert ledger.compile_count == 2
    note(layer, "kernel")
    ledger._records += layer.drain(1)  # pyright: ignore[reportPrivateUsage]
    assert ledger.compile_count == 3


def run_offline(folder: Path, *what: str, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Compile an operator's implementation for a target, on cases of a size that is worth tuning."""
    environment = {"TRITON_CACHE_DIR": str(folder), "TRITON_INTERPRET": "0", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "eagerdiff.suites.tests.offline_tuning", *what, json.dumps(cases)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("queries", [1, 40], ids=["decode", "prefill"])
@pytest.mark.parametrize("target", TARGETS)
def test_growing_contexts_tune_the_attention_kernel_once_and_nothing_spills(
    target: str, queries: int, tmp_path: Path
) -> None:
    fields = {"head_dim": 128, "dtype": "bfloat16", "group": 4, "table_padding": 9000, "query_lens": (queries,) * 2}
    cases = [{**fields, "context_lens": (queries + n, queries + 2 * n + 1)} for n in (1, 15, 16, 17, 90)]
    found = run_offline(tmp_path, "paged_attention", "triton.varlen", target, cases=cases)

    assert found["timed"] > 1
    assert found["compiles"] == 1
    assert set(found["spills"].values()) == {0}
    assert found["shared"] <= SHARED[target]


@pytest.mark.slow
@pytest.mark.parametrize("target", SHARED)
def test_growing_batches_tune_the_grouped_gemms_once_a_size_of_block_and_nothing_spills(
    target: str, tmp_path: Path
) -> None:
    fields = {"num_experts": 8, "top_k": 2, "hidden": 1024, "intermediate": 256, "dtype": "bfloat16"}
    cases = [{**fields, "tokens": count, "expert_tokens": (count // 4,) * 8} for count in (65, 90, 1025, 1900)]
    found = run_offline(tmp_path, "moe", "triton.grouped_gemm", target, cases=cases)

    assert found["timed"] > 4
    assert found["compiles"] == 2
    aligning = {"count_kernel", "align_kernel", "place_kernel"}
    assert found["spills"].keys() == {"gate_up_kernel", "down_kernel", "combine_kernel"} | aligning
    assert set(found["spills"].values()) == {0}
    assert found["shared"] <= SHARED[target]


def note(layer: TritonLayer, name: str) -> None:
    layer._compiled(src=SimpleNamespace(name=name), metadata={}, times=None, cache_hit=False)  # pyright: ignore[reportPrivateUsage]
