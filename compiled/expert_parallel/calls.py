"""Calls: from all ranks' tokens to each rank's part and back, by way of a group of processes."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from eagerdiff import Declined
from eagerdiff.compiled.expert_parallel.exchange import exchange
from eagerdiff.compiled.expert_parallel.ranks import RankFailed, RankGroup, rank_group
from eagerdiff.compiled.expert_parallel.step import run_step
from eagerdiff.compiled.expert_parallel.traced import run_compiled

IDLE_SECONDS = 8.0
"""How long ranks may be idle, all of them: none waits for anything but the others."""
_builds = itertools.count()

Split = Sequence[tuple[Any, ...]]
"""Arguments of `run_step` after the first, by rank."""


def split(tensors: Sequence[Tensor], tokens_per_rank: Sequence[int], experts_per_rank: Sequence[int]) -> Split:
    """Give each rank its tokens, [T_r, ...] of x, ids and weights, and its experts, [E_r, ...] of both weights.

    In memory of their own, on the CPU: a view would take along what it is a view of, and strides of an empty tensor,
    which mean nothing, would be compiled in.
    """
    tokens, experts = list(tokens_per_rank), list(experts_per_rank)
    x, topk_ids, topk_weights, w_gate_up, w_down = tensors
    parts = [
        *(map(_own, tensor.split(tokens)) for tensor in (x, topk_ids, topk_weights)),
        *(map(_own, tensor.split(experts)) for tensor in (w_gate_up, w_down)),
    ]
    return [(rank, tuple(experts), *mine) for rank, mine in enumerate(zip(*parts, strict=True))]


def _own(part: Tensor) -> Tensor:
    return part.cpu().clone(memory_format=torch.contiguous_format)


def eager_step(*arguments: Any) -> Tensor:
    """Run a rank's part of a step and return its rows [T_r, H]; arguments as `step.run_step`'s but the first."""
    return run_step(exchange, *arguments)


def build_eager(case: Any) -> Callable[..., list[Tensor]]:
    """Return a function whose arguments and result, [T_r, H] a rank, are as the reference's.

    It raises RankFailed where a rank failed, and Declined where there are fewer GPUs than ranks.
    """

    def expert_parallel(*tensors: Tensor, tokens_per_rank: Sequence[int], experts_per_rank: Sequence[int]) -> Any:
        group = _group(tensors[0], len(tokens_per_rank))
        outputs = group.run(eager_step, split(tensors, tokens_per_rank, experts_per_rank))
        return [output.to(tensors[0].device) for output in outputs]

    return expert_parallel


def build_compiled(backend: str) -> Callable[[Any], Callable[..., list[Tensor]]]:
    """Return a `build` that has every rank compile its part, once whatever the sizes.

    What was built takes and returns what the reference does, [T_r, H] a rank. It raises OverCompiled where a rank
    compiled more than once, RankFailed where one failed, and the same from then on: what was compiled ended with the
    ranks, and other ranks would compile it again. It raises Declined where there are fewer GPUs than ranks.
    """

    def build(case: Any) -> Callable[..., list[Tensor]]:
        number = next(_builds)
        failed: list[RuntimeError] = []

        def expert_parallel(*tensors: Tensor, tokens_per_rank: Sequence[int], experts_per_rank: Sequence[int]) -> Any:
            if failed:
                raise type(failed[0])(f"in an earlier call: {failed[0]}")
            group = _group(tensors[0], len(tokens_per_rank))
            parts = split(tensors, tokens_per_rank, experts_per_rank)
            try:
                results = group.run(run_compiled, [(backend, number, *mine) for mine in parts])
                _check_once([why for _, why in results])
            except (RankFailed, OverCompiled) as error:
                failed.append(error)
                raise
            return [output.to(tensors[0].device) for output, _ in results]

        return expert_parallel

    return build


def _check_once(reasons: Sequence[str]) -> None:
    told = [f"rank {rank}: {why}" for rank, why in enumerate(reasons) if why]
    if told:
        raise OverCompiled("; ".join(told))


class OverCompiled(RuntimeError):
    """Tell which ranks compiled more than one graph, and why: the ledger sees this process alone."""


def _group(like: Tensor, world_size: int) -> RankGroup:
    device: Literal["cpu", "cuda"] = "cuda" if like.is_cuda else "cpu"
    if device == "cuda" and torch.cuda.device_count() < world_size:
        raise Declined(f"NCCL needs a GPU a rank: {world_size} ranks, {torch.cuda.device_count()} GPUs")
    return rank_group(world_size, device, IDLE_SECONDS)
