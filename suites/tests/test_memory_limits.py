"""The memory that workers may use fits the machine, and how a process ended for want of it is told by evidence."""

from pathlib import Path

import pytest

from eagerdiff.harness.processes import Limits, exhaustion, machine_memory
from eagerdiff.harness.processes.limits import GIB, KEPT, MOST, SHARE

PART = SHARE / (1 + 1 / KEPT)
"""Of the memory that is available, what workers may use; those that wait may hold the rest of the share."""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with 8 GiB, and a control group without limits."""
    (tmp_path / "meminfo").write_text(f"MemTotal: 99999999 kB\nMemAvailable:    {8 << 20} kB\n")
    monkeypatch.setattr(machine_memory, "MEMINFO", tmp_path / "meminfo")
    for room in (exhaustion, machine_memory):
        monkeypatch.setattr(room, "control_groups", lambda: [tmp_path])
    return tmp_path


def test_workers_together_fit_the_machine(machine: Path) -> None:
    assert [Limits.of_one_in(slots).memory for slots in (1, 2, 16)] == [
        MOST,
        int(PART * 4 * GIB),
        int(PART * GIB / 2),
    ]
    for slots in (2, 16):
        limits = Limits.of_one_in(slots)
        assert 0.99 * SHARE * 8 * GIB < slots * (limits.memory + limits.kept) <= SHARE * 8 * GIB


@pytest.mark.parametrize(
    ("limit", "used"), [("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")]
)
def test_a_control_groups_limit_counts_and_what_it_caches_does_not(machine: Path, limit: str, used: str) -> None:
    (machine / limit).write_text(f"{2 * GIB}\n")
    (machine / used).write_text(f"{GIB}\n")
    (machine / "memory.stat").write_text(f"anon 7\ninactive_file {GIB // 2}\n")
    assert Limits.of_one_in(1).memory == int(PART * 1.5 * GIB)


def test_a_control_group_without_a_limit_changes_nothing(machine: Path) -> None:
    (machine / "memory.max").write_text("max\n")
    (machine / "memory.current").write_text("5\n")
    (machine / "memory.stat").write_text("")
    assert Limits.of_one_in(2).memory == int(PART * 4 * GIB)


def test_kills_for_want_of_memory_are_read_from_the_system(machine: Path) -> None:
    (machine / "memory.events").write_text("low 0\noom 3\noom_kill 2\noom_group_kill 0\n")
    before = exhaustion.memory_kills()
    (machine / "memory.events").write_text("low 0\noom 3\noom_kill 3\noom_group_kill 0\n")
    assert exhaustion.memory_kills() == before + 1
