"""A kernel of one's own: `eagerdiff run paged_attention --implementation examples/one_query.py:IMPLEMENTATION`."""
# pyright: basic, reportCallIssue=false, reportAttributeAccessIssue=false

import torch
import triton
import triton.language as tl

from eagerdiff import Implementation


@triton.jit
def attend(q, k, v, o, lse, tab, own, seen, scale, st, qt, qh, qd, kn, kp, kh, kd, vn, vp, vh, vd,
           G: tl.constexpr, P: tl.constexpr, TP: tl.constexpr, D: tl.constexpr, TD: tl.constexpr):  # fmt: skip
    t, h, p, d = tl.program_id(0), tl.program_id(1), tl.arange(0, TP)[:, None], tl.arange(0, TD)[None, :]
    query = tl.load(q + t * qt + h * qh + d * qd, mask=d < D, other=0).to(tl.float32)
    top, total, acc = float("-inf"), 0.0, tl.zeros([1, TD], tl.float32)
    for b in range(tl.cdiv(tl.load(seen + t), P)):
        n, live = tl.load(tab + tl.load(own + t) * st + b).to(tl.int64), (p < P) & (b * P + p < tl.load(seen + t))
        key = tl.load(k + n * kn + p * kp + h // G * kh + d * kd, mask=live & (d < D), other=0).to(tl.float32)
        value = tl.load(v + n * vn + p * vp + h // G * vh + d * vd, mask=live & (d < D), other=0).to(tl.float32)
        score = tl.where(live, tl.sum(query * key, 1, keep_dims=True) * scale, float("-inf"))
        higher = tl.maximum(top, tl.max(score))
        weight, keep = tl.exp(score - higher), tl.exp(top - higher)
        top, total, acc = higher, total * keep + tl.sum(weight), acc * keep + tl.sum(weight * value, 0, keep_dims=True)
    tl.store(lse + t * tl.num_programs(1) + h, top + tl.log(total))
    tl.store(o + (t * tl.num_programs(1) + h) * D + d, acc / tl.where(total == 0, 1.0, total), mask=d < D)


def paged_attention(query, key_cache, value_cache, block_table, context_lens, query_start, *, scale, **_):
    (tokens, heads, dim), slots, own = query.shape, key_cache.shape[1], torch.repeat_interleave(query_start.diff())
    out, lse = query.new_empty(tokens, heads, value_cache.shape[3]), query.new_empty(tokens, heads, dtype=torch.float32)
    seen = (context_lens - query_start[1:])[own] + torch.arange(1, tokens + 1, device=query.device)
    attend[(tokens, heads)](query, key_cache, value_cache, out, lse, block_table, own, seen, scale,
        block_table.stride(0), *query.stride(), *key_cache.stride(), *value_cache.stride(), heads // key_cache.shape[2],
        slots, triton.next_power_of_2(slots), dim, triton.next_power_of_2(dim))  # fmt: skip
    return out, lse


IMPLEMENTATION = Implementation(operator="paged_attention", name="one_query", build=lambda case: paged_attention,
    supports=lambda case: None if case.plain else "plain causal attention only")  # fmt: skip
