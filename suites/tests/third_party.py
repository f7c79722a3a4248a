"""Stand-ins for third parties' packages: what each documents of its attention, in plain torch, right or spoiled."""

# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false

from types import SimpleNamespace

import torch
from torch import Tensor

from eagerdiff.reference.paged_attention import paged_attention


def packages(spoil: float = 1.0) -> dict[str, SimpleNamespace]:
    """Return a stand-in for each adapted package's module; `spoil` multiplies the scale of scores, 1.0 is right."""

    def attend(q, k, v, table, lens, starts, *, scale, lse=False, **options):
        out, found = paged_attention(q, k, v, table, lens, starts, scale=float(scale) * spoil, **options)
        return (out, found) if lse else out

    return {
        "vllm": SimpleNamespace(unified_attention=_vllm(attend), KVQuantMode=SimpleNamespace(NONE=0, FP8_PER_TENSOR=1)),
        "conch.paged": SimpleNamespace(paged_attention=_conch_paged(attend)),
        "conch.varlen": SimpleNamespace(varlen_attention=_conch_varlen(attend)),
        "sglang.decode": SimpleNamespace(decode_attention_fwd=_sglang_decode(attend)),
        "sglang.extend": SimpleNamespace(
            extend_attention_fwd=_sglang_extend(attend), extend_attention_fwd_unified=_sglang_unified(attend)
        ),
        "flash_attn": SimpleNamespace(flash_attn_varlen_func=_flash_attn(attend)),
        "flash_attn_3": SimpleNamespace(flash_attn_with_kvcache=_flash_attn_three(attend)),
        "flashinfer": SimpleNamespace(BatchPrefillWithPagedKVCacheWrapper=_flashinfer(attend)),
    }


def _vllm(attend):
    def unified_attention(
        q, k, v, out, cu_seqlens_q, max_seqlen_q, seqused_k, max_seqlen_k, softmax_scale, causal, window_size,
        block_table, softcap, q_descale, k_descale, v_descale, seq_threshold_3D=None, num_par_softmax_segments=None,
        softmax_segm_output=None, softmax_segm_max=None, softmax_segm_expsum=None, alibi_slopes=None, qq_bias=None,
        sinks=None, kv_quant_mode=0,
    ):  # fmt: skip
        assert (max_seqlen_q, max_seqlen_k) == (int(cu_seqlens_q.diff().max()), int(seqused_k.max()))
        assert (kv_quant_mode == 1) == (k.dtype.itemsize == 1)
        assert block_table.shape[1] * k.shape[1] % 128 == 0
        if seq_threshold_3D is not None:
            assert softmax_segm_max.shape == (len(q), q.shape[1], num_par_softmax_segments)
            assert softmax_segm_output.shape[:3] == softmax_segm_expsum.shape
        scales = {"key_scale": k_descale, "value_scale": v_descale} if kv_quant_mode else {}
        attend(
            q, k, v, block_table, seqused_k, cu_seqlens_q, scale=softmax_scale, causal=causal,
            window=None if window_size[0] < 0 else window_size[0] + 1, soft_cap=softcap or None,
            alibi_slopes=alibi_slopes, sinks=sinks, tree_mask=None if qq_bias is None else qq_bias == 0, output=out,
            **scales,
        )  # fmt: skip

    return unified_attention


def _conch_paged(attend):
    def paged_attention(
        query, key_cache, value_cache, block_table, seq_lens, output=None, scale=None, softcap=0.0,
        kv_cache_dtype="auto", k_scale=None, v_scale=None,
    ):  # fmt: skip
        scales = {}
        if kv_cache_dtype == "fp8":
            key_cache, value_cache = key_cache.view(torch.float8_e4m3fn), value_cache.view(torch.float8_e4m3fn)
            scales = {"key_scale": k_scale[0], "value_scale": v_scale[0]}
        attend(
            query, key_cache, value_cache, block_table, seq_lens, torch.arange(len(query) + 1), scale=scale,
            soft_cap=softcap or None, output=output, **scales,
        )  # fmt: skip
        return output

    return paged_attention


def _conch_varlen(attend):
    def varlen_attention(
        query, key_cache, value_cache, cu_seqlens_q, max_seqlen_q, seq_lens, max_seqlen_k, block_table, output=None,
        causal=False, scale=None, softcap=0.0, kv_cache_dtype="auto", q_scale=None, k_scale=None, v_scale=None,
    ):  # fmt: skip
        assert (max_seqlen_q, max_seqlen_k) == (int(cu_seqlens_q.diff().max()), int(seq_lens.max()))
        quantised = kv_cache_dtype == "fp8"
        assert not quantised or float(q_scale) == 1.0
        scales = {"key_scale": k_scale[0], "value_scale": v_scale[0]} if quantised else {}
        attend(
            query, key_cache, value_cache, block_table, seq_lens, cu_seqlens_q, scale=scale, causal=causal,
            soft_cap=softcap or None, output=output, **scales,
        )  # fmt: skip
        return output

    return varlen_attention


def _as_blocks(slots: Tensor) -> Tensor:
    return slots[:, None]  # a block a slot


def _as_table(indices: Tensor, bounds: Tensor) -> Tensor:
    rows = [indices[start:end] for start, end in zip(bounds.tolist(), bounds.tolist()[1:], strict=False)]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-1)


def _sglang_decode(attend):
    def decode_attention_fwd(
        q, k_buffer, v_buffer, o, kv_indptr, kv_indices, attn_logits, attn_lse, num_kv_splits, max_kv_splits, sm_scale,
        k_scale, v_scale, logit_cap=0.0, sinks=None, has_mla=False,
    ):  # fmt: skip
        assert attn_logits.shape == (*attn_lse.shape, v_buffer.shape[-1])
        assert max_kv_splits == attn_lse.shape[2] == num_kv_splits.max()
        call = (q, _as_blocks(k_buffer), _as_blocks(v_buffer), _as_table(kv_indices, kv_indptr), kv_indptr.diff())
        options = {"scale": sm_scale * k_scale, "soft_cap": logit_cap or None, "lse": True}
        bounds = torch.arange(len(q) + 1)
        attn_lse[..., 0] = attend(*call, bounds, **options)[1]  # a split's, without the sinks
        o.copy_(attend(*call, bounds, sinks=sinks, **options)[0] * v_scale)

    return decode_attention_fwd


def _sglang_extend(attend):
    def extend_attention_fwd(
        q_extend, k_extend, v_extend, o_extend, k_buffer, v_buffer, qo_indptr, kv_indptr, kv_indices, custom_mask,
        is_causal, mask_indptr, max_len_extend, k_scale, v_scale, sm_scale=None, logit_cap=0.0,
        sliding_window_size=-1, sinks=None, window_kv_offsets=None, lse_extend=None,
    ):  # fmt: skip
        own = torch.arange(len(k_extend)) + len(k_buffer)  # behind the cache, as slots of their own
        order = [
            torch.cat((kv_indices[kv_indptr[b] : kv_indptr[b + 1]], own[qo_indptr[b] : qo_indptr[b + 1]]))
            for b in range(len(qo_indptr) - 1)
        ]
        bounds = torch.tensor([0, *map(len, order)]).cumsum(0)
        out, lse = _over_slots(
            attend, q_extend, torch.cat((k_buffer, k_extend)), torch.cat((v_buffer, v_extend)), qo_indptr, bounds,
            torch.cat(order), custom_mask, is_causal, sm_scale, logit_cap, sliding_window_size, sinks,
        )  # fmt: skip
        assert max_len_extend == qo_indptr.diff().max()
        o_extend.copy_(out)
        lse_extend[: len(lse)] = lse

    return extend_attention_fwd


def _sglang_unified(attend):
    def extend_attention_fwd_unified(
        q, o, k_buffer, v_buffer, k_scale, v_scale, qo_indptr, kv_indptr, kv_indices, prefix_lens, max_len_extend,
        custom_mask=None, mask_indptr=None, sm_scale=None, logit_cap=0.0, is_causal=True, sliding_window_size=-1,
        sinks=None,
    ):  # fmt: skip
        assert prefix_lens.tolist() == (kv_indptr.diff() - qo_indptr.diff()).tolist()
        o.copy_(
            _over_slots(
                attend, q, k_buffer, v_buffer, qo_indptr, kv_indptr, kv_indices, custom_mask, is_causal, sm_scale,
                logit_cap, sliding_window_size, sinks,
            )[0]
        )  # fmt: skip

    return extend_attention_fwd_unified


def _over_slots(attend, q, keys, values, starts, bounds, indices, mask, causal, scale, cap, size, sinks):
    counts, lengths = starts.diff().tolist(), bounds.diff()
    tree = None
    if mask is not None:
        tree = torch.zeros(len(q), max(counts), dtype=torch.bool)
        begin = 0
        for count, start, length in zip(counts, starts.tolist(), lengths.tolist(), strict=False):
            flat = mask[begin : begin + count * length].view(count, length)
            assert flat[:, : length - count].all()
            tree[start : start + count, :count] = flat[:, length - count :] != 0
            begin += count * length
    return attend(
        q, _as_blocks(keys), _as_blocks(values), _as_table(indices, bounds), lengths, starts, scale=scale,
        causal=causal, soft_cap=cap or None, window=None if size < 0 else size + 1, sinks=sinks, tree_mask=tree,
        lse=True,
    )  # fmt: skip


def _flash_attn(attend):
    def flash_attn_varlen_func(
        q, k, v, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, dropout_p=0.0, softmax_scale=None,
        causal=False, window_size=(-1, -1), softcap=0.0, alibi_slopes=None, return_attn_probs=False, block_table=None,
    ):  # fmt: skip
        assert (max_seqlen_q, max_seqlen_k) == (int(cu_seqlens_q.diff().max()), int(cu_seqlens_k.diff().max()))
        assert window_size[1] == (0 if causal else -1)
        out, lse = attend(
            q, k, v, block_table, cu_seqlens_k.diff(), cu_seqlens_q, scale=softmax_scale, causal=causal,
            window=None if window_size[0] < 0 else window_size[0] + 1, soft_cap=softcap or None,
            alibi_slopes=alibi_slopes, lse=True,
        )  # fmt: skip
        return (out, lse.T, None) if return_attn_probs else out

    return flash_attn_varlen_func


def _flash_attn_three(attend):
    def flash_attn_with_kvcache(
        q, k_cache, v_cache, cache_seqlens=None, page_table=None, cu_seqlens_q=None, max_seqlen_q=None,
        softmax_scale=None, causal=False, window_size=(-1, -1), softcap=0.0, num_splits=0, return_softmax_lse=False,
    ):  # fmt: skip
        assert max_seqlen_q == int(cu_seqlens_q.diff().max())
        out, lse = attend(
            q, k_cache, v_cache, page_table, cache_seqlens, cu_seqlens_q, scale=softmax_scale, causal=causal,
            window=None if window_size[0] < 0 else window_size[0] + 1, soft_cap=softcap or None, lse=True,
        )  # fmt: skip
        return (out, lse.T, None, None) if return_softmax_lse else out

    return flash_attn_with_kvcache


def _flashinfer(attend):
    class Wrapper:
        def __init__(self, workspace, kv_layout, backend):
            assert kv_layout == "NHD"
            assert workspace.dtype == torch.uint8

        def plan(
            self, qo_indptr, paged_kv_indptr, paged_kv_indices, paged_kv_last_page_len, num_qo_heads, num_kv_heads,
            head_dim_qk, page_size, head_dim_vo=None, custom_mask=None, causal=False, sm_scale=None, window_left=-1,
            logits_soft_cap=None, q_data_type=None, kv_data_type=None, o_data_type=None,
        ):  # fmt: skip
            assert ((paged_kv_last_page_len >= 1) & (paged_kv_last_page_len <= page_size)).all()
            self.table = _as_table(paged_kv_indices, paged_kv_indptr)
            self.lens = (paged_kv_indptr.diff() - 1) * page_size + paged_kv_last_page_len
            self.starts, self.size, self.mask = qo_indptr, page_size, custom_mask
            self.options = {"scale": sm_scale, "causal": causal, "soft_cap": logits_soft_cap or None}
            self.window = window_left

        def run(self, q, paged_kv_cache, k_scale=None, v_scale=None, return_lse=False):
            scales = {"key_scale": k_scale, "value_scale": v_scale}
            given = {name: torch.tensor(value) for name, value in scales.items() if value is not None}
            keys, values = paged_kv_cache
            if self.mask is None:
                window = None if self.window < 0 else self.window + 1
                call = (q, keys, values, self.table, self.lens, self.starts)
                out, lse = attend(*call, **self.options, **given, window=window, lse=True)
            else:
                slots = torch.arange(self.table.shape[1] * self.size)
                found = self.table[:, slots // self.size] * self.size + slots % self.size
                indices = torch.cat([row[:length] for row, length in zip(found, self.lens.tolist(), strict=True)])
                bounds = torch.nn.functional.pad(self.lens.cumsum(0), (1, 0))
                (key, value), cap = (cache.flatten(0, 1) for cache in paged_kv_cache), self.options["soft_cap"]
                scaled = self.options["scale"] * (1.0 if k_scale is None else k_scale)
                out, lse = _over_slots(
                    attend, q, key, value, self.starts, bounds, indices, self.mask, True, scaled, cap, -1, None
                )
                out = out * (1.0 if v_scale is None else v_scale)
            return (out, lse / torch.tensor(2.0).log()) if return_lse else out

    return Wrapper
