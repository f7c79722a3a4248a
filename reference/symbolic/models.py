"""Small models, as serving runs them: their weights are arguments, their batches and lengths change."""

import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff.reference.symbolic.program import Program


def padded_block(
    x_BSD: Tensor, lengths_B: Tensor, qkv_DE: Tensor, out_DD: Tensor, up_DH: Tensor, down_HD: Tensor, norm_D: Tensor
) -> Tensor:
    """Run a transformer block over padded rows (BERT, arXiv 1810.04805); E = 3 · D, result [B, S, D].

    x [B, S, D]; lengths integer [B], tokens past a row's length are attended by nobody.
    """
    batch, seq, width = x_BSD.shape
    there_BS = torch.arange(seq, device=x_BSD.device) < lengths_B.unsqueeze(1)
    q, k, v = (F.layer_norm(x_BSD, (width,), norm_D) @ qkv_DE).view(batch, seq, 3, 2, width // 2).unbind(2)
    mask = there_BS[:, None, None, :].expand(batch, 2, seq, seq)
    scores = (q.transpose(1, 2) @ k.permute(0, 2, 3, 1)) * (width // 2) ** -0.5
    weights = F.softmax(scores.masked_fill(~mask, -1e4), dim=-1)
    h_BSD = x_BSD + (weights @ v.transpose(1, 2)).transpose(1, 2).reshape(batch, seq, width) @ out_DD
    return h_BSD + F.gelu(F.layer_norm(h_BSD, (width,), norm_D) @ up_DH) @ down_HD


def packed_block(
    x_TD: Tensor, starts_B: Tensor, q_DD: Tensor, k_DD: Tensor, v_DD: Tensor, up_DH: Tensor, down_HD: Tensor
) -> Tensor:
    """Run a transformer block over sequences that lie one behind the other, none padded; x and result [T, D].

    starts integer [B] ascending: a token belongs to the last sequence that begins at or before it.
    """
    tokens = torch.arange(x_TD.size(0), device=x_TD.device)
    owner_T = (tokens.unsqueeze(1) >= starts_B).sum(1)
    apart_TT = owner_T.unsqueeze(1) != owner_T
    later_TT = tokens > tokens.unsqueeze(1)
    scores = (x_TD @ q_DD) @ (x_TD @ k_DD).t() * x_TD.size(1) ** -0.5
    weights = F.softmax(scores.masked_fill(apart_TT | later_TT, float("-inf")), dim=-1)
    h_TD = x_TD + weights @ (x_TD @ v_DD)
    return h_TD + F.silu(h_TD @ up_DH) @ down_HD


def paged_decode(q_BD: Tensor, key_NPD: Tensor, value_NPD: Tensor, table_BM: Tensor, lengths_B: Tensor) -> Tensor:
    """Attend one new token a request over a paged cache (arXiv 2309.06180); q and result [B, D].

    key and value [N, P, D] of N pages of P tokens; table integer [B, M], the pages of each request in order; lengths
    integer [B], tokens that are there: of a request without any the result is 0.
    """
    (batch, width), slots = q_BD.shape, table_BM.size(1) * key_NPD.size(1)
    key_BTD, value_BTD = (cache[table_BM].reshape(batch, slots, width) for cache in (key_NPD, value_NPD))
    there_BT = torch.arange(slots, device=q_BD.device) < lengths_B.unsqueeze(1)
    scores_BT = (key_BTD @ q_BD.unsqueeze(-1)).squeeze(-1) * width**-0.5
    weights_BT = F.softmax(scores_BT.masked_fill(~there_BT, -1e4), dim=-1) * there_BT
    return (weights_BT.unsqueeze(1) @ value_BTD).squeeze(1)


def moe_block(x_TD: Tensor, router_DE: Tensor, up_EDH: Tensor, down_EHD: Tensor) -> Tensor:
    """Send each token to the better of its experts, each of which computes the tokens it got; x and result [T, D]."""
    scores_TE = F.softmax(x_TD @ router_DE, dim=-1)
    weight_T, chosen_T = scores_TE.max(dim=-1)
    result_TD = torch.zeros_like(x_TD)
    for expert in range(router_DE.size(1)):
        rows = torch.nonzero(chosen_T == expert).squeeze(1)
        hidden = F.silu(x_TD[rows] @ up_EDH[expert]) @ down_EHD[expert]
        result_TD = result_TD.index_add(0, rows, hidden * weight_T[rows].unsqueeze(1))
    return result_TD


def exit_in_graph(x_BD: Tensor, w_LDD: Tensor, bias_L: Tensor) -> Tensor:
    """Leave out the layers [L, D, D] behind the first that is confident, inside the graph; x and result [B, D]."""

    def as_it_is(x: Tensor, w: Tensor) -> Tensor:
        return x + 0.0

    def computed(x: Tensor, w: Tensor) -> Tensor:
        return torch.tanh(x @ w)

    done = torch.zeros((), dtype=torch.bool, device=x_BD.device)
    for layer in range(w_LDD.size(0)):
        x_BD = torch.cond(done, as_it_is, computed, (x_BD, w_LDD[layer]))
        done = done | (torch.sigmoid(bias_L[layer]) > 0.9)
    return x_BD


def detections(boxes_N4: Tensor, scores_N: Tensor) -> tuple[Tensor, Tensor]:
    """Return the boxes that no better one overlaps by half, best first (Fast NMS, arXiv 1904.02689).

    boxes [N, 4], two corners each; scores [N], all different; result [K, 4] and [K].
    """
    order = torch.argsort(scores_N, descending=True)
    boxes, scores = boxes_N4[order], scores_N[order]
    size = (boxes[:, 2:] - boxes[:, :2]).clamp(min=0).prod(1)
    low = torch.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = (high - low).clamp(min=0).prod(2)
    overlap = (shared / (size[:, None] + size - shared).clamp(min=1e-6)).triu(diagonal=1)
    kept = torch.nonzero(~(overlap > 0.5).any(0)).squeeze(1)
    return boxes[kept], scores[kept]


def conv_encoder(x_BCS: Tensor, first: Tensor, second: Tensor, norm: Tensor, head: Tensor) -> Tensor:
    """Encode images of changing height and width S: two strided convolutions, a norm, a mean; result [B, classes]."""
    x = F.conv2d(x_BCS.unsqueeze(-1) * x_BCS.unsqueeze(-2), first, stride=2, padding=1)
    x = F.relu(F.group_norm(x, 2, norm))
    x = F.relu(F.conv2d(F.interpolate(x, scale_factor=2.0, mode="nearest"), second, padding=1))
    return x.mean((2, 3)) @ head


def lstm(x_BSD: Tensor, w_4D: Tensor, u_4H: Tensor, b_4: Tensor) -> tuple[Tensor, Tensor]:
    """Run an LSTM over a sequence; x [B, S, D], weights [4 · H, D], [4 · H, H], [4 · H]; results [B, S, H], [B, H]."""
    start = x_BSD.new_zeros(1, x_BSD.size(0), u_4H.size(1))
    output, hidden, _ = torch.lstm(
        x_BSD, (start, start), (w_4D, u_4H, b_4, b_4), True, 1, 0.0, False, False, batch_first=True
    )
    return output, hidden[0]


MODELS = {
    "padded_block": Program(
        function=padded_block,
        kind="bounded",
        inputs=("batch seq .", "batch", ". .", ". .", ". .", ". .", "."),
        unpadded="a row of length 0 attends to all tokens, and those that pad them",
    ),
    "packed_block": Program(
        function=packed_block,
        kind="bounded",
        inputs=("batch .", "count", ". .", ". .", ". .", ". .", ". ."),
        outputs=("batch .",),
    ),
    "paged_decode": Program(
        function=paged_decode,
        kind="bounded",
        inputs=("batch .", ". . .", ". . .", "batch seq", "batch"),
        outputs=("batch .",),
        rows="batch",
    ),
    "moe_block": Program(
        function=moe_block,
        kind="data-dependent",
        inputs=("batch .", ". .", ". . .", ". . ."),
        outputs=("batch .",),
        rows="batch",
    ),
    "exit_in_graph": Program(
        function=exit_in_graph,
        kind="control-dependent",
        inputs=("batch .", ". . .", "."),
        outputs=("batch .",),
        rows="batch",
    ),
    "detections": Program(
        function=detections,
        kind="data-dependent",
        inputs=("batch .", "batch"),
        unpadded="boxes that pad the others are kept, too",
    ),
    "conv_encoder": Program(
        function=conv_encoder,
        kind="bounded",
        inputs=("batch . seq", ". . . .", ". . . .", ".", ". ."),
        unpadded="the norm and the mean are of the padded size",
    ),
    "lstm": Program(
        function=lstm,
        kind="bounded",
        inputs=("batch seq .", ". .", ". .", "."),
        unpadded="the last state is that behind the padding",
    ),
}
"""The models by name."""
