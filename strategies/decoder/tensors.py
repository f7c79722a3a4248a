"""The tensors of a trace: weights, an empty cache, prompts, block tables, and a table of likely next tokens."""

import math
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.cases.decoder import DecoderCase
from eagerdiff.strategies.decoder.trace import Pass, play
from eagerdiff.strategies.layouts import place_together

THETA = 10_000.0


def inputs(case: DecoderCase, device: str) -> Inputs:
    """Build the arguments of the decoder from a case's seed; what was not written in the cache is NaN."""
    trace = play(case)
    generator = torch.Generator().manual_seed(case.seed)
    draft_table = torch.randperm(case.vocabulary, generator=generator)
    weights = _weights(case, draft_table, generator)
    shape = (case.num_blocks, case.block_size, 1, case.latent + case.rope)
    cache = [torch.full(shape, math.nan) for _ in range(case.layers)]
    prompts = [torch.randint(case.vocabulary, (length,), generator=generator) for length in trace.prompts]
    steps = [(one.preempted, one.requests, one.counts, _table(one, case, generator)) for one in trace.passes]
    names = ("top_k", "num_groups", "kept_groups", "scaling", "exit_margin")
    options = {name: getattr(case, name) for name in names}
    return place_together(Inputs((weights, cache, prompts, steps, draft_table), options), device)


def _table(one: Pass, case: DecoderCase, generator: torch.Generator) -> Tensor:
    """Return the block table int32 [B, columns]; ids that cannot be where a request has no block."""
    wild = torch.tensor([-1, case.num_blocks, 2**30], dtype=torch.int32)
    table = wild[torch.randint(3, (len(one.requests), one.columns), generator=generator)]
    for row, blocks in enumerate(one.blocks):
        table[row, : len(blocks)] = torch.tensor(blocks, dtype=torch.int32)
    return table


def _weights(case: DecoderCase, draft_table: Tensor, generator: torch.Generator) -> dict[str, Any]:
    """Return weights under which a token's likely successor is that of the draft table."""
    embed = torch.randn(case.vocabulary, case.hidden, generator=generator)
    head = torch.empty_like(embed)
    head[draft_table] = embed / math.sqrt(case.hidden)
    return {
        "embed": case.certainty * embed,
        "head": head,
        "norm": _gain(case.hidden, generator),
        "rope": _angles(case),
        "layers": [_layer(case, index, generator) for index in range(case.layers)],
    }


def _angles(case: DecoderCase) -> Tensor:
    """Return cosines and sines [positions, rope] of all positions that there is room for."""
    frequencies = THETA ** (-torch.arange(0, case.rope, 2, dtype=torch.float64) / case.rope)
    angles = torch.arange(case.num_blocks * case.block_size, dtype=torch.float64)[:, None] * frequencies
    return torch.cat((angles.cos(), angles.sin()), dim=1).float()


def _layer(case: DecoderCase, index: int, generator: torch.Generator) -> dict[str, Tensor]:
    def drawn(*shape: int, gain: float = 1.0) -> Tensor:
        return gain * torch.randn(shape, generator=generator) / math.sqrt(shape[-1])

    columns = case.nope + case.rope
    layer = {
        "attention_norm": _gain(case.hidden, generator),
        "query": drawn(case.heads * columns, case.hidden, gain=1.5),
        "kv": drawn(case.latent + case.rope, case.hidden),
        "kv_norm": _gain(case.latent, generator),
        "key_up": drawn(case.heads, case.nope, case.latent, gain=math.sqrt(case.latent / case.nope)),
        "value_up": drawn(case.heads, case.value_dim, case.latent),
        "output": drawn(case.hidden, case.heads * case.value_dim),
        "mlp_norm": _gain(case.hidden, generator),
    }
    wide = 2 * case.intermediate
    if index < case.dense_layers:
        dense = {"gate_up": drawn(wide, case.hidden, gain=1.5), "down": drawn(case.hidden, case.intermediate, gain=1.5)}
        return layer | dense
    return layer | {
        "router": drawn(case.experts, case.hidden, gain=1.5),
        "bias": torch.randn(case.experts, generator=generator) / 2,
        "gate_up": drawn(case.experts, wide, case.hidden, gain=1.5),
        "down": drawn(case.experts, case.hidden, case.intermediate),
        "shared_gate_up": drawn(wide, case.hidden, gain=1.5),
        "shared_down": drawn(case.hidden, case.intermediate),
    }


def _gain(columns: int, generator: torch.Generator) -> Tensor:
    return 0.75 + torch.rand(columns, generator=generator) / 2
