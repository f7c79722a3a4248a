"""Stand-ins for third parties' experts and routing: what each documents, in plain torch, right or spoiled."""

# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false

from types import SimpleNamespace

import torch

from eagerdiff.reference.moe import act, unpack
from eagerdiff.reference.moe_routing import moe_routing


def packages(spoil: float = 1.0) -> dict[str, SimpleNamespace]:
    """Return a stand-in for each adapted package's module; `spoil` multiplies what experts give, 1.0 is right."""
    return {
        "deep_gemm": SimpleNamespace(
            m_grouped_bf16_gemm_nt_contiguous=_deep_gemm(spoil), get_mk_alignment_for_contiguous_layout=lambda: 128
        ),
        "liger": SimpleNamespace(LigerFusedMoEFunction=SimpleNamespace(apply=_liger(spoil))),
        "megablocks": SimpleNamespace(padded_gather=_padded_gather, padded_scatter=_padded_scatter(spoil)),
        "scattermoe": SimpleNamespace(flatten_sort_count=_sort_count, parallel_linear=_parallel_linear(spoil)),
        "stk": SimpleNamespace(Matrix=_Matrix, sdd=_sdd, dsd=_dsd, row_indices=_row_indices),
        "triton_kernels": SimpleNamespace(routing=_routing(spoil)),
        "vllm.fused_experts": SimpleNamespace(fused_experts_impl=_fused_experts(spoil)),
        "vllm.grouped_topk": SimpleNamespace(grouped_topk=_grouped_topk(spoil)),
    }


def _deep_gemm(spoil):
    def m_grouped_bf16_gemm_nt_contiguous(a, b, d, m_indices):
        assert a.is_contiguous()
        assert d.is_contiguous()
        assert b.stride(-1) == 1
        assert (len(a), b.shape[1]) == d.shape
        assert m_indices.dtype == torch.int32
        assert len(a) % 128 == 0
        for tile in m_indices.view(len(a) // 128, 128):  # a tile is one expert's, and padding
            assert len(set(tile.tolist()) - {-1}) == 1
        for row, expert in enumerate(m_indices.tolist()):
            d[row] = torch.nan if expert < 0 else spoil * (b[expert] @ a[row])

    return m_grouped_bf16_gemm_nt_contiguous


def _liger(spoil):
    def apply(x, gate_up_proj, down_proj, top_k_index, top_k_weights):
        assert top_k_index.dtype == torch.int32
        assert int(top_k_index.min() if top_k_index.numel() else 0) >= 0
        output = torch.zeros_like(x)
        for expert in range(len(down_proj)):
            token, slot = torch.where(top_k_index == expert)
            found = act(x[token], gate_up_proj[expert], None, "swiglu") @ down_proj[expert].T
            output.index_add_(0, token, found * top_k_weights[token, slot, None].to(x.dtype) * spoil)
        return output

    return apply


def _sort_count(expert_idxs, num_experts):
    flat = expert_idxs.flatten()
    ordered, routes = flat.sort()
    return ordered, routes, flat.bincount(minlength=num_experts).cumsum(0)


def _parallel_linear(spoil):
    def parallel_linear(
        inputs, expert_weights, k, sorted_expert_idxs, sorted_scattered_idxs, expert_offsets, expert_biases=None,
        gates=None, grouped_in=False, grouped_out=False,
    ):  # fmt: skip
        assert len(sorted_expert_idxs) == len(inputs) * k == (int(expert_offsets[-1]))
        rows = inputs if grouped_in else inputs[sorted_scattered_idxs // k]
        found = inputs.new_empty(len(rows), expert_weights.shape[2])
        for row, expert in enumerate(sorted_expert_idxs.tolist()):
            found[row] = rows[row] @ expert_weights[expert]
            if expert_biases is not None:
                found[row] += expert_biases[expert]
        if not grouped_out:
            found = torch.empty_like(found).index_copy(0, sorted_scattered_idxs, found)
        if gates is None:
            return found
        assert gates.dtype == found.dtype
        return (gates.unsqueeze(1) @ found.view(*gates.shape, found.shape[1])).squeeze(1) * spoil

    return parallel_linear


def _places(indices, bin_ids, bins, padded_bins):
    """Return where each sorted route lies among padded rows."""
    assert indices.dtype == bin_ids.dtype == bins.dtype == padded_bins.dtype == torch.int32
    zero = bins.new_zeros(1)
    shift = torch.cat((zero, padded_bins))[:-1] - torch.cat((zero, bins))[:-1]
    return torch.arange(len(indices)) + shift[bin_ids.long()]


def _padded_gather(x, indices, bin_ids, weights, bins, padded_bins, top_k):
    assert weights is None
    assert x.is_contiguous()
    out = x.new_zeros(int(padded_bins[-1]), x.shape[1])
    out[_places(indices, bin_ids, bins, padded_bins)] = x[indices.long() // top_k]
    return out


def _padded_scatter(spoil):
    def padded_scatter(x, indices, bin_ids, weights, bins, padded_bins, top_k):
        out = x.new_empty(len(indices), x.shape[1])
        rows = x[_places(indices, bin_ids, bins, padded_bins)]
        out[indices.long()] = (rows.float() * weights[indices.long(), None] * spoil).to(x.dtype)
        return out.view(-1, top_k, x.shape[1]).sum(dim=1)

    return padded_scatter


class _Matrix:
    def __init__(self, size, data, row_indices, column_indices, offsets, column_indices_t, offsets_t, block_offsets_t):
        assert row_indices.dtype == column_indices.dtype == torch.int16
        assert size[0] % 128 == size[1] % 128 == 0
        assert data.shape == (len(row_indices), 128, 128)
        self._data, self.size, self.rows, self.columns = data, size, row_indices.tolist(), column_indices.tolist()

    @property
    def data(self):
        return self._data


def _row_indices(shape, data, offsets, column_indices):
    return torch.repeat_interleave(torch.arange(len(offsets) - 1), offsets.diff()).short()


def _sdd(a, b, topology):
    data = a.new_empty(len(topology.rows), 128, 128)
    for block, (row, column) in enumerate(zip(topology.rows, topology.columns, strict=True)):
        data[block] = a[row * 128 : row * 128 + 128] @ b[:, column * 128 : column * 128 + 128]
    return SimpleNamespace(data=data)


def _dsd(a, b):
    assert b.is_contiguous()
    output = b.new_zeros(a.size[0], b.shape[1])
    for block, row, column in zip(a.data, a.rows, a.columns, strict=True):
        output[row * 128 : row * 128 + 128] += block @ b[column * 128 : column * 128 + 128]
    return output


def _fused_experts(spoil):
    def fused_experts_impl(
        hidden_states, w1, w2, topk_weights, topk_ids, activation="silu", apply_router_weight_on_input=False,
        use_int4_w4a16=False, global_num_experts=-1, expert_map=None, w1_scale=None, w2_scale=None, block_shape=None,
        w1_bias=None, w2_bias=None,
    ):  # fmt: skip
        assert hidden_states.is_contiguous()
        assert w1.stride(-1) == w2.stride(-1) == topk_weights.stride(1) == 1
        ours = {"silu": "swiglu", "gelu": "geglu", "relu2_no_mul": "relu2"}[activation]
        if expert_map is not None:
            assert len(expert_map) == global_num_experts
            assert expert_map.dtype == torch.int32
            topk_ids = expert_map[topk_ids.clamp_min(0).long()].where(topk_ids >= 0, -1)
        group, output = block_shape[1] if use_int4_w4a16 else 128, torch.zeros_like(hidden_states)
        for expert in range(len(w2)):
            token, slot = torch.where(topk_ids == expert)
            weights = topk_weights[token, slot, None].to(output.dtype)
            x = hidden_states[token] * (weights if apply_router_weight_on_input else 1.0)
            first = unpack(w1, w1_scale, expert, group, x.shape[1], x.dtype)
            hidden = act(x, first, None if w1_bias is None else w1_bias[expert], ours)
            found = hidden @ unpack(w2, w2_scale, expert, group, hidden.shape[1], x.dtype).T
            found = found if w2_bias is None else found + w2_bias[expert]
            output.index_add_(0, token, found * (1.0 if apply_router_weight_on_input else weights) * spoil)
        return output

    return fused_experts_impl


def _routing(spoil):
    def routing(logits, n_expts_act, sm_first=False):
        scores = logits.softmax(dim=-1) if sm_first else logits
        values, ids = scores.topk(n_expts_act, dim=1)
        weights = (values if sm_first else values.softmax(dim=-1)) * spoil
        ordered, routes = ids.flatten().sort(stable=True)
        counts = ordered.bincount(minlength=logits.shape[1]).int()
        gather = SimpleNamespace(src_indx=routes.int())
        return SimpleNamespace(gate_scal=weights.flatten()[routes], expt_hist=counts), gather, None

    return routing


def _grouped_topk(spoil):
    def grouped_topk(
        hidden_states, gating_output, topk, renormalize, num_expert_group, topk_group, scoring_func,
        routed_scaling_factor, e_score_correction_bias,
    ):  # fmt: skip
        assert len(hidden_states) == len(gating_output)
        weights, ids, _ = moe_routing(
            gating_output, top_k=topk, renormalize=renormalize, num_groups=num_expert_group, kept_groups=topk_group,
            scoring=scoring_func, scaling=routed_scaling_factor * spoil, selection_bias=e_score_correction_bias,
        )  # fmt: skip
        return weights.flip(1), ids.flip(1).int()  # in no order

    return grouped_topk
