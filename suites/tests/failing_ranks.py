"""What ranks of a group do in the tests of failures: one of them dies, raises, hangs, leaves early or is slow."""

import os
import signal
import time

import torch

from eagerdiff.compiled.expert_parallel.exchange import exchange


def add_up(rank: int, world_size: int) -> float:
    """Return the sum of all ranks' numbers."""
    return float(exchange(torch.full((world_size,), float(rank)), None, None).sum())


def be_killed(rank: int, world_size: int) -> float:
    """Lose the last rank between two exchanges."""
    add_up(rank, world_size)
    if rank == world_size - 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return add_up(rank, world_size)


def raise_midway(rank: int, world_size: int) -> float:
    """Have the last rank raise between two exchanges."""
    add_up(rank, world_size)
    if rank == world_size - 1:
        raise KeyError("expert 7")
    return add_up(rank, world_size)


def run_out_of_memory(rank: int, world_size: int) -> float:
    """Have the last rank ask for more memory than there is."""
    add_up(rank, world_size)
    if rank == world_size - 1:
        raise MemoryError("no room for expert 7")
    return add_up(rank, world_size)


def exit_midway(rank: int, world_size: int) -> float:
    """Have the last rank end as if it were done."""
    add_up(rank, world_size)
    if rank == world_size - 1:
        os._exit(0)
    return add_up(rank, world_size)


def leave_early(rank: int, world_size: int) -> float:
    """Have the last rank return without the second exchange, but stay alive."""
    add_up(rank, world_size)
    return 0.0 if rank == world_size - 1 else add_up(rank, world_size)


def hang(rank: int, world_size: int) -> float:
    """Have the last rank never come back, outside of any collective."""
    add_up(rank, world_size)
    if rank == world_size - 1:
        time.sleep(1000)
    return add_up(rank, world_size)


def compute_long(rank: int, world_size: int) -> float:
    """Have the last rank compute for longer than the ranks may be idle."""
    began = time.process_time()
    while rank == world_size - 1 and time.process_time() - began < 4.0:
        pass
    return add_up(rank, world_size)


def be_slow(rank: int, world_size: int) -> float:
    """Have the last rank come late, but within the time."""
    if rank == world_size - 1:
        time.sleep(1.0)
    return add_up(rank, world_size)
