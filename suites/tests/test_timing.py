"""Timers and rooflines: longer work takes longer, and a device without a clock is refused."""

import time

import pytest
import torch

from eagerdiff import Cost
from eagerdiff.harness.timing.cuda_graphs import CudaGraphs
from eagerdiff.harness.timing.peak import fragmentation
from eagerdiff.harness.timing.roofline import Roofline, measure
from eagerdiff.harness.timing.timers import timing_of


def test_a_call_that_sleeps_takes_that_long() -> None:
    median = timing_of([lambda: time.sleep(0.004)], "cpu", rounds=5).median
    assert 0.004 <= median < 0.04


def test_a_short_call_is_timed_in_batches() -> None:
    """The clock's grain is far above one call: an unbatched sample would be mostly zero or noise."""
    timing = timing_of([lambda: None], "cpu", rounds=5)
    assert 0 < timing.median < 1e-4


def test_the_interpreter_is_not_timed() -> None:
    with pytest.raises(ValueError, match="cpu or cuda"):
        timing_of([lambda: None], "interpreted")


def test_the_roofline_takes_the_longer_of_moving_and_multiplying() -> None:
    roofline = Roofline(bandwidth=100.0, flops=1000.0)
    assert roofline.seconds(Cost(flops=1000, bytes=10)) == 1.0
    assert roofline.seconds(Cost(flops=10, bytes=1000)) == 10.0


def test_this_machine_moves_and_multiplies() -> None:
    roofline = measure("cpu", torch.float32)
    assert roofline.bandwidth > 1e8
    assert roofline.flops > 1e8


def test_cuda_graphs_are_counted_where_they_are_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Graph:
        def replay(self) -> str:
            return "replayed"

    monkeypatch.setattr(torch.cuda, "CUDAGraph", Graph)
    first, second = Graph(), Graph()
    with CudaGraphs() as graphs:
        assert [one.replay() for one in (first, second, first)] == ["replayed"] * 3
    second.replay()
    assert (graphs.recorded, graphs.replayed) == (2, 3)
    with CudaGraphs() as later:
        first.replay()
    assert (later.recorded, later.replayed) == (1, 1)


def test_what_the_allocator_holds_and_nothing_used_is_fragmentation(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for name in ("synchronize", "empty_cache", "reset_peak_memory_stats"):
        monkeypatch.setattr(torch.cuda, name, lambda name=name: asked.append(name))
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: 30)
    monkeypatch.setattr(torch.cuda, "max_memory_reserved", lambda: 40)
    assert fragmentation(lambda: asked.append("run")) == 25.0
    assert asked == ["synchronize", "empty_cache", "reset_peak_memory_stats", "run", "synchronize"]
    monkeypatch.setattr(torch.cuda, "max_memory_reserved", lambda: 0)
    assert fragmentation(lambda: None) == 0.0
