"""Programs whose sizes follow from the shapes of their inputs."""

import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff.reference.symbolic.program import Program


def mlp(x_BSD: Tensor, w_DH: Tensor, b_H: Tensor, v_HD: Tensor) -> Tensor:
    """Apply a two-layer perceptron to every token; x [B, S, D], result [B, S, D]."""
    return F.gelu(x_BSD @ w_DH + b_H) @ v_HD


def layer_norm(x_BSD: Tensor, weight_D: Tensor, bias_D: Tensor) -> Tensor:
    """Normalise every token over its features; x and result [B, S, D]."""
    return F.layer_norm(x_BSD, (x_BSD.size(-1),), weight_D, bias_D)


def rms_norm_residual(x_BSD: Tensor, residual_BSD: Tensor, weight_D: Tensor) -> tuple[Tensor, Tensor]:
    """Add the residual, then normalise by the root mean square; return that and the sum, [B, S, D] each."""
    h = x_BSD + residual_BSD
    scale = torch.rsqrt(h.float().pow(2).mean(-1, keepdim=True) + 1e-6)
    return (h * scale.to(h.dtype)) * weight_D, h


def softmax_pool(x_BSD: Tensor, score_BS: Tensor) -> Tensor:
    """Average the tokens by the softmax of their scores [B, S], over the size that changes; result [B, D]."""
    return (F.softmax(score_BS, dim=-1).unsqueeze(-1) * x_BSD).sum(1)


def flatten_tokens(x_BSD: Tensor, w_DH: Tensor) -> Tensor:
    """Project all tokens as one matrix, a product of two changing sizes, taken apart again: result [B, S, H]."""
    batch, seq, width = x_BSD.shape
    tokens = x_BSD.reshape(batch * seq, width)
    return torch.relu(tokens @ w_DH).view(batch, seq, w_DH.size(1))


def pad_to_multiple(x_BSD: Tensor) -> Tensor:
    """Pad the sequence to a multiple of 8 and take the mean of each block of 8; result [B, ceil(S / 8), D]."""
    batch, seq, width = x_BSD.shape
    padded = F.pad(x_BSD, (0, 0, 0, -seq % 8))
    return padded.view(batch, (seq + 7) // 8, 8, width).mean(2)


def strided_rows(x_SB: Tensor, y_BS: Tensor) -> Tensor:
    """Add a transposed tensor [S, B] to another [B, S], times its first column; result [B, S].

    Its strides are not the sizes' products.
    """
    return torch.tanh(x_SB.t() + y_BS) * y_BS[:, :1]


def expanded_bias(x_BS: Tensor, bias_S: Tensor) -> tuple[Tensor, Tensor]:
    """Add a bias expanded over the batch, with stride 0: [B, S]; and sum over the expanded dim too: [S]."""
    bias_BS = bias_S.expand(x_BS.size(0), -1)
    return torch.sigmoid(x_BS + bias_BS), (x_BS * bias_BS).sum(0)


def branch_on_length(x_SD: Tensor) -> Tensor:
    """Take one of two algorithms by the sequence's length, as serving code does; x and result [S, D]."""
    if x_SD.size(0) > 16:
        return x_SD.cumsum(0) / torch.arange(1, x_SD.size(0) + 1, device=x_SD.device, dtype=x_SD.dtype).unsqueeze(1)
    return x_SD - 0.5 * x_SD.mean(-1, keepdim=True)


def length_mask(x_BSD: Tensor, lengths_B: Tensor) -> Tensor:
    """Average the first `lengths` tokens of each row; lengths integer [B], result [B, D]."""
    mask_BS = torch.arange(x_BSD.size(1), device=x_BSD.device) < lengths_B.unsqueeze(1)
    total_BD = (x_BSD * mask_BS.unsqueeze(-1)).sum(1)
    return total_BD / lengths_B.clamp(min=1).unsqueeze(1).to(x_BSD.dtype)


def rotary(x_BSHD: Tensor) -> Tensor:
    """Rotate pairs of features by the token's position (RoFormer, arXiv 2104.09864).

    x and result [B, S, H, D]; D is even, a pair is columns i and i + D / 2; angles are in radians, in float32.
    """
    half = x_BSHD.size(-1) // 2
    position_S = torch.arange(x_BSHD.size(1), device=x_BSHD.device, dtype=torch.float32)
    rate_D = 10000.0 ** (-torch.arange(half, device=x_BSHD.device, dtype=torch.float32) / half)
    angle_S1D = torch.outer(position_S, rate_D).unsqueeze(1)
    cos, sin = angle_S1D.cos().to(x_BSHD.dtype), angle_S1D.sin().to(x_BSHD.dtype)
    left, right = x_BSHD[..., :half], x_BSHD[..., half:]
    return torch.cat((left * cos - right * sin, right * cos + left * sin), dim=-1)


def append_cache(cache_BTD: Tensor, new_BSD: Tensor) -> tuple[Tensor, Tensor]:
    """Append new tokens to a cache; return the whole [B, T + S, D] and its mean [B, D].

    The number of tokens is a sum of two changing sizes.
    """
    whole = torch.cat((cache_BTD, new_BSD), dim=1)
    return whole, whole.sum(1) / max(whole.size(1), 1)


def causal_attention(q_BHSD: Tensor, k_BHSD: Tensor, v_BHSD: Tensor) -> Tensor:
    """Attend causally, spelt out in matmul and softmax; q, k, v and result [B, H, S, D]."""
    scores = q_BHSD @ k_BHSD.transpose(-1, -2) * q_BHSD.size(-1) ** -0.5
    position = torch.arange(q_BHSD.size(2), device=q_BHSD.device)
    scores = scores.masked_fill(position > position.unsqueeze(1), float("-inf"))
    return F.softmax(scores, dim=-1) @ v_BHSD


def repeat_heads(q_BHSD: Tensor, k_BGSD: Tensor) -> Tensor:
    """Repeat each key head for its group of query heads (grouped-query attention), then take the scores.

    q [B, H, S, D], k [B, G, S, D], H a multiple of G; result [B, H, S].
    """
    batch, groups, seq, width = k_BGSD.shape
    repeats = q_BHSD.size(1) // groups
    k = k_BGSD.unsqueeze(2).expand(batch, groups, repeats, seq, width).reshape(batch, groups * repeats, seq, width)
    return (q_BHSD * k).sum(-1)


def moving_average(x_BS: Tensor) -> Tensor:
    """Average each value with the three before it, through overlapping windows of a padded sequence.

    x and result [B, S]; what is before the first counts as 0.
    """
    return F.pad(x_BS, (3, 0)).unfold(1, 4, 1).mean(-1)


def last_token(x_BSD: Tensor, lengths_B: Tensor, w_DH: Tensor) -> Tensor:
    """Project the last valid token of each row; lengths integer [B], result [B, H]."""
    row_B = torch.arange(x_BSD.size(0), device=x_BSD.device)
    return x_BSD[row_B, (lengths_B - 1).clamp(min=0)] @ w_DH


def pairwise_distance(x_BD: Tensor, y_SD: Tensor) -> Tensor:
    """Return the Manhattan distance of every pair [B, S]: two sizes that change on their own."""
    return (x_BD.unsqueeze(1) - y_SD.unsqueeze(0)).abs().sum(-1)


PROGRAMS = {
    "mlp": Program(
        function=mlp, kind="bounded", inputs=("batch seq .", ". .", ".", ". ."), outputs=("batch seq .",), rows="batch"
    ),
    "layer_norm": Program(
        function=layer_norm, kind="bounded", inputs=("batch seq .", ".", "."), outputs=("batch seq .",), rows="batch"
    ),
    "rms_norm_residual": Program(
        function=rms_norm_residual,
        kind="bounded",
        inputs=("batch seq .", "batch seq .", "."),
        outputs=("batch seq .", "batch seq ."),
        rows="batch",
    ),
    "softmax_pool": Program(
        function=softmax_pool,
        kind="bounded",
        inputs=("batch seq .", "batch seq"),
        rows="batch",
        unpadded="a padded score of 0 takes weight in the softmax",
    ),
    "flatten_tokens": Program(
        function=flatten_tokens, kind="bounded", inputs=("batch seq .", ". ."), outputs=("batch seq .",), rows="batch"
    ),
    "pad_to_multiple": Program(
        function=pad_to_multiple,
        kind="bounded",
        inputs=("batch seq .",),
        rows="batch",
        unpadded="the number of blocks is not a size of the inputs",
        extra_compiles=1,
        extra_reason="the number of blocks, like a size, is specialised where it is 1",
    ),
    "strided_rows": Program(
        function=strided_rows,
        kind="bounded",
        inputs=("seq batch", "batch seq"),
        outputs=("batch seq",),
        backed_only="`y[:, :1]` is 0 or 1 wide, and of unbacked sizes torch assumes that none is broadcast",
    ),
    "expanded_bias": Program(
        function=expanded_bias, kind="bounded", inputs=("batch seq", "seq"), outputs=("batch seq", "seq")
    ),
    "branch_on_length": Program(
        function=branch_on_length,
        kind="bounded",
        inputs=("batch .",),
        unpadded="the padded length takes the other branch",
        backed_only="Python branches on the size",
        extra_compiles=1,
        extra_reason="each side of the branch on the length is a graph",
    ),
    "length_mask": Program(
        function=length_mask, kind="bounded", inputs=("batch seq .", "batch"), outputs=("batch .",), rows="batch"
    ),
    "rotary": Program(
        function=rotary, kind="bounded", inputs=("batch seq . .",), outputs=("batch seq . .",), rows="batch"
    ),
    "append_cache": Program(
        function=append_cache,
        kind="bounded",
        inputs=("batch cache .", "batch seq ."),
        rows="batch",
        unpadded="padding the cache moves the new tokens",
    ),
    "causal_attention": Program(
        function=causal_attention,
        kind="bounded",
        inputs=("batch . seq .", "batch . seq .", "batch . seq ."),
        outputs=("batch . seq .",),
        rows="batch",
    ),
    "repeat_heads": Program(
        function=repeat_heads,
        kind="bounded",
        inputs=("batch . seq .", "batch . seq ."),
        outputs=("batch . seq",),
        rows="batch",
    ),
    "moving_average": Program(
        function=moving_average, kind="bounded", inputs=("batch seq",), outputs=("batch seq",), rows="batch"
    ),
    "last_token": Program(
        function=last_token, kind="bounded", inputs=("batch seq .", "batch", ". ."), outputs=("batch .",), rows="batch"
    ),
    "pairwise_distance": Program(
        function=pairwise_distance, kind="bounded", inputs=("batch .", "seq ."), outputs=("batch seq",)
    ),
}
