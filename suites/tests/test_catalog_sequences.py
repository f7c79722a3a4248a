"""References of scans, state spaces, linear attention, jagged tensors and gated norms, against others and loops."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff.reference.catalog import gated_norms, jagged, linear_attention, scans, state_space

OFFSETS = torch.tensor([0, 3, 3, 8])


def close(found: Tensor, right: Tensor) -> None:
    torch.testing.assert_close(found, right, rtol=1e-5, atol=1e-5)


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed + sum(shape)))


@pytest.mark.parametrize("tokens", [1, 4, 9])
@pytest.mark.parametrize("reverse", [False, True])
def test_sums_of_chunks_are_sums_up_to_a_chunks_edge(tokens: int, reverse: bool) -> None:
    x, found = drawn(2, tokens, 3), scans.cumsum_of_chunks(drawn(2, tokens, 3), 4, reverse)
    for t in range(tokens):
        first, last = t // 4 * 4, min(t // 4 * 4 + 4, tokens)
        close(found[:, t], (x[:, t:last] if reverse else x[:, first : t + 1]).sum(1))


def test_sums_means_and_shifts_of_sequences_see_their_own_sequence_alone() -> None:
    x, cache = drawn(1, 8, 3), drawn(3, 3)
    close(scans.cumsum_of_sequences(x, OFFSETS), torch.cat([x[:, :3].cumsum(1), x[:, 3:].cumsum(1)], 1))
    close(
        scans.cumsum_of_chunks_of_sequences(x, OFFSETS, 4),
        torch.cat([x[:, :3].cumsum(1), x[:, 3:7].cumsum(1), x[:, 7:]], 1),
    )
    means = [x[:, :3].mean(1), x[:, 3:7].mean(1), x[:, 7]]
    close(scans.mean_pooling_of_sequences(x, OFFSETS, 4), torch.stack(means, 1))
    shifted, last = scans.token_shift_of_sequences(x, OFFSETS, cache)
    before = torch.stack([cache[0], x[0, 0], x[0, 1], cache[2], *x[0, 3:7]])
    close(shifted[0], before - x[0])
    close(last, torch.stack([x[0, 2], cache[1], x[0, 7]]))


def test_a_recurrence_without_gates_is_a_sum_and_logcumsumexp_a_logarithm_of_one() -> None:
    x, initial = drawn(2, 5, 3), drawn(2, 3)
    h, last = scans.gated_recurrence(x, torch.zeros_like(x), initial)
    close(h, x.cumsum(1) + initial[:, None])
    close(last, h[:, -1])
    halved, _ = scans.gated_recurrence(x, torch.full_like(x, 0.5).log(), initial)
    close(halved[:, 1], initial / 4 + x[:, 0] / 2 + x[:, 1])
    close(scans.logcumsumexp(x), x.exp().cumsum(1).log())


def test_a_causal_convolution_is_a_weighted_sum_of_the_past() -> None:
    x, weight, bias = drawn(2, 6, 3), drawn(3, 4), drawn(3)
    found = scans.causal_conv1d(x, weight, bias)
    for t in range(6):
        past = sum((x[:, t - 3 + at] * weight[:, at] for at in range(4) if t - 3 + at >= 0), bias)
        close(found[:, t], F.silu(torch.as_tensor(past)))


def test_packing_takes_the_last_tokens_of_each_row() -> None:
    x = drawn(3, 5, 2)
    close(scans.pack(x, OFFSETS), torch.cat([x[0, 2:], x[2]]))


def test_linear_attention_is_attention_without_softmax() -> None:
    q, k, v, decay = drawn(2, 5, 3, 4), drawn(2, 5, 3, 4, seed=1), drawn(2, 5, 3, 6), -drawn(2, 5, 3).abs()
    found, state = linear_attention.recurrent(q, k, v, decay)
    since = decay.cumsum(1)
    mask = torch.tril(torch.ones(5, 5))
    decays = (since[:, :, None] - since[:, None]).exp() * mask[..., None]
    scores = torch.einsum("bthk,bshk->btsh", q, k) / 2 * decays
    close(found, torch.einsum("btsh,bshv->bthv", scores, v))
    close(state, torch.einsum("bshk,bsh,bshv->bhkv", k, (since[:, -1:] - since).exp(), v))
    by_key, _ = linear_attention.recurrent(q, k, v, decay[..., None].expand(q.shape))
    close(by_key, found)
    kept, _ = linear_attention.recurrent(q, k, v, initial=state)
    close(kept[:, 0] - linear_attention.recurrent(q, k, v)[0][:, 0], torch.einsum("bhk,bhkv->bhv", q[:, 0], state) / 2)


def test_retention_decays_by_head() -> None:
    q, k, v = drawn(1, 4, 2, 3), drawn(1, 4, 2, 3, seed=1), drawn(1, 4, 2, 5)
    steps = torch.arange(4.0)[:, None] - torch.arange(4.0)
    decays = torch.stack([torch.where(steps >= 0, gamma**steps, 0) for gamma in (1 - 2**-5, 1 - 2**-6)])
    scores = torch.einsum("bthk,bshk->bhts", q, k) * decays / 3**0.5
    close(linear_attention.retention(q, k, v), torch.einsum("bhts,bshv->bthv", scores, v))


def test_the_delta_rule_replaces_what_a_key_holds() -> None:
    k = torch.eye(4)[None, [0, 1, 0], None]
    v, beta = drawn(1, 3, 1, 5), torch.ones(1, 3, 1)
    found, state = linear_attention.delta_rule(k, k, v, beta)
    close(found, v / 2)
    close(state[0, 0, :2], torch.stack([v[0, 2, 0], v[0, 1, 0]]))


def test_chunks_of_a_state_space_together_are_its_scan() -> None:
    x, dt, A = drawn(2, 7, 4, 3), drawn(2, 7, 4), -drawn(4).abs()
    B, C, D, bias = drawn(2, 7, 2, 5), drawn(2, 7, 2, 5, seed=1), drawn(4), drawn(4)
    right = state_space.scan(x, F.softplus(dt + bias), A, B, C, D)
    cumsum, step = state_space.chunk_cumsum(dt, A, bias, 4)
    before, last = state_space.state_passing(
        state_space.chunk_state(B, x, step, cumsum).flatten(-2), cumsum[..., -1], torch.zeros(2, 4, 15)
    )
    scores = state_space.bmm_chunk(C, B, 4).repeat_interleave(2, 2)
    padded = F.pad(x, (0, 0, 0, 0, 0, 1)).unflatten(1, (2, 4))
    since = (cumsum[..., :, None] - cumsum[..., None, :]).tril().exp().tril()
    inside = torch.einsum("bchls,bhcls,bhcs,bcshp->bclhp", scores, since, step, padded)
    asked = F.pad(C, (0, 0, 0, 0, 0, 1)).unflatten(1, (2, 4)).repeat_interleave(2, 3)
    carried = torch.einsum("bclhn,bhcl,bchpn->bclhp", asked, cumsum.exp(), before.unflatten(-1, (3, 5)))
    close((inside + carried).flatten(1, 2)[:, :7] + D[:, None] * x, right)
    assert last.shape == (2, 4, 15)


def test_steps_of_a_state_space_are_its_scan() -> None:
    x, dt, A = drawn(2, 6, 4, 3), drawn(2, 6, 4), -drawn(4).abs()
    B, C, D, bias = drawn(2, 6, 2, 5), drawn(2, 6, 2, 5, seed=1), drawn(4), drawn(4)
    right, state = state_space.scan(x, F.softplus(dt + bias), A, B, C, D), torch.zeros(2, 4, 3, 5)
    gate = drawn(2, 4, 3)
    for t in range(6):
        step = state_space.selective_state_update(
            state, x[:, t], dt[:, t, :, None].expand(2, 4, 3), A[:, None, None].expand(4, 3, 5), B[:, t], C[:, t],
            D[:, None].expand(4, 3), gate, bias[:, None].expand(4, 3),
        )  # fmt: skip
        close(step, right[:, t] * F.silu(gate))


def test_jagged_rows_belong_to_their_sequence() -> None:
    x, dense, matrices = drawn(8, 4), drawn(3, 4), drawn(3, 4, 2)
    owner = torch.tensor([0, 0, 0, 2, 2, 2, 2, 2])
    close(jagged.broadcast_add(OFFSETS, x, dense), x + dense[owner])
    bias = drawn(3, 2)
    close(
        jagged.dense_bmm_add(OFFSETS, x, matrices, bias), torch.einsum("lk,lkn->ln", x, matrices[owner]) + bias[owner]
    )


def test_concat_interleaves_sequences_and_split_undoes_it() -> None:
    a, b, offsets_b = drawn(8, 2), drawn(4, 2), torch.tensor([0, 1, 3, 4])
    together = jagged.concat(a, b, OFFSETS, offsets_b)
    close(together, torch.cat([a[:3], b[:1], b[1:3], a[3:], b[3:]]))
    for found, right in zip(jagged.split(together, OFFSETS, offsets_b), (a, b), strict=True):
        close(found, right)


def test_hstu_attention_sees_the_past_of_its_own_sequence() -> None:
    q, k, v = drawn(8, 2, 4), drawn(8, 2, 4, seed=1), drawn(8, 2, 3)
    found = jagged.hstu_attention(q, k, v, OFFSETS, 5)
    for row, first in ((2, 0), (5, 3)):
        right = sum(F.silu((q[row] * k[at]).sum(-1, keepdim=True)) / 5 * v[at] for at in range(first, row + 1))
        close(found[row], torch.as_tensor(right))


def test_picked_and_added_rows() -> None:
    x, source, scaling, index = drawn(4, 2, 3), drawn(2, 2, 3), drawn(3), torch.tensor([2, 0])
    right = torch.index_add(x, 0, index, source * scaling)
    found = jagged.scaled_index_add(x, index, source, scaling)
    close(found, right)
    assert found is x
    close(jagged.index_select_cat(x[:, 0], index), torch.cat([x[2, 0], x[0, 0]]))


def test_gated_norms_are_norms_and_gates() -> None:
    x, z, weight, bias = drawn(3, 6), drawn(3, 6, seed=1), drawn(6), drawn(6)
    sigmoid = 1 / (1 + (-z).exp())

    def normal(rows: Tensor) -> Tensor:
        centred = rows - rows.mean(-1, keepdim=True)
        return centred / (centred.square().mean(-1, keepdim=True) + 1e-6).sqrt() * weight + bias

    close(gated_norms.layer_norm_then_gate(x, weight, bias, z), normal(x) * z * sigmoid)
    close(gated_norms.layer_norm_of_gated(x, weight, bias, z), normal(x * z * sigmoid))
    for found, right in zip(gated_norms.layer_norm_of_sum(x, weight, bias, z), (normal(x + z), x + z), strict=True):
        close(found, right)
    gated = (x * z * sigmoid).view(3, 2, 3)
    grouped = gated / (gated.square().mean(-1, keepdim=True) + 1e-6).sqrt()
    close(gated_norms.grouped_rms_norm_of_gated(x, weight, z, 2), grouped.view(3, 6) * weight)
    total = x + z + weight
    root = total / (total.square().mean(-1, keepdim=True) + 1e-6).sqrt()
    first, second, found = gated_norms.rms_norms_of_sum(x, z, weight.expand(3, 6), weight, bias)
    close(first, root * weight)
    close(second, root * bias)
    close(found, total)
    close(gated_norms.l2_norm(x), F.normalize(x, dim=-1))
    close(gated_norms.swiglu(torch.cat([z, x], 1)), z * sigmoid * x)
