"""Rows exchanged among all ranks: `all_to_all_single`, called and traced."""

import torch.distributed as dist
from torch import Tensor

from eagerdiff.harness.internals.collectives import all_to_all_single


def exchange(rows: Tensor, receive: list[int] | None, send: list[int] | None) -> Tensor:
    """Send rows [S, …] and return the rows received [V, …], in order of the sender; see `step.Exchange`."""
    received = rows.new_empty((len(rows) if receive is None else sum(receive), *rows.shape[1:]))
    dist.all_to_all_single(received, rows.contiguous(), receive, send)
    return received


def exchange_traced(rows: Tensor, receive: list[int] | None, send: list[int] | None) -> Tensor:
    """Send rows [S, …] and return those received [V, …] as an operation of a graph, which waits for it at once."""
    group = dist.group.WORLD  # pyright knows it as None, which it is before a rank joins
    return all_to_all_single(rows.contiguous(), receive, send, group)  # pyright: ignore[reportArgumentType]
