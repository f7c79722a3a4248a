"""A plug-in package: one module, one entry point (pyproject.toml), as many implementations as it likes."""
# pyright: basic

import torch

from eagerdiff import Implementation


def build(case: object):
    """Return paged attention that pads every request's keys to the longest and attends once for all heads."""

    def paged_attention(query, key_cache, value_cache, block_table, context_lens, query_start, *, scale, **_):
        lens = query_start.diff()
        owner = torch.arange(len(lens), device=query.device).repeat_interleave(lens.long())
        seen = (context_lens - query_start[1:])[owner] + torch.arange(1, len(owner) + 1, device=query.device)
        slots = torch.arange(int(context_lens.max()) if len(lens) else 0, device=query.device)
        live = slots < seen[:, None]
        blocks = torch.where(live, block_table[owner][:, slots // key_cache.shape[1]], 0)
        gather = (blocks.long(), slots % key_cache.shape[1])
        keys, values = (_expand(cache[gather], live, query) for cache in (key_cache, value_cache))
        scores = torch.einsum("thd,tshd->ths", query.float(), keys) * scale
        scores = scores.masked_fill(~live[:, None], float("-inf"))
        weights = torch.where(live[:, None], scores.softmax(-1), 0)  # of a query that sees nothing too
        return torch.einsum("ths,tshd->thd", weights, values).to(query.dtype), scores.logsumexp(-1)

    return paged_attention


def _expand(rows, live, query):
    rows = torch.where(live[:, :, None, None], rows, 0)  # what no query sees may be NaN
    return rows.repeat_interleave(query.shape[1] // rows.shape[2], 2).float()


IMPLEMENTATIONS: list[Implementation] = [
    Implementation(
        operator="paged_attention",
        name="acme.padded",
        build=build,
        supports=lambda case: None if case.plain else "plain causal attention only",
        devices=("cpu", "cuda"),
        description="plain torch, padded to the longest context",
    )
]
