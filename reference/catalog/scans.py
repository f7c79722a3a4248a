"""Scans along a sequence: sums, by chunk or by sequence, means, shifts and gated recurrences."""

import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff.reference.catalog.precision import wide


def cumsum(x: Tensor, reverse: bool = False) -> Tensor:
    """Sum up along dim 1 of x [batch, tokens, …], from its end where reverse; in float32 or wider."""
    x = wide(x)
    return x.flip(1).cumsum(1).flip(1) if reverse else x.cumsum(1)


def cumsum_of_chunks(x: Tensor, chunk_size: int, reverse: bool = False) -> Tensor:
    """Sum up within each chunk along dim 1 of x [batch, tokens, …]; in float32 or wider."""
    return torch.cat([cumsum(chunk, reverse) for chunk in x.split(chunk_size, 1)], 1)


def cumsum_of_sequences(x: Tensor, cu_seqlens: Tensor, reverse: bool = False) -> Tensor:
    """Sum up within each sequence; x [1, tokens, …], cu_seqlens [sequences + 1], up to tokens; in float32 or wider."""
    return torch.cat([cumsum(one, reverse) for one in sequences(x, cu_seqlens)], 1)


def cumsum_of_chunks_of_sequences(x: Tensor, cu_seqlens: Tensor, chunk_size: int) -> Tensor:
    """Sum up within each chunk of each sequence; x [1, tokens, …], cu_seqlens [sequences + 1]; in float32 or wider."""
    return torch.cat([cumsum_of_chunks(one, chunk_size) for one in sequences(x, cu_seqlens)], 1)


def mean_pooling(x: Tensor, chunk_size: int) -> Tensor:
    """Return the mean of each chunk along dim 1 of x [batch, tokens, …], the last one being shorter."""
    return torch.stack([chunk.mean(1) for chunk in x.split(chunk_size, 1)], 1)


def mean_pooling_of_sequences(x: Tensor, cu_seqlens: Tensor, chunk_size: int) -> Tensor:
    """Return the mean of each chunk of each sequence; x [1, tokens, …], cu_seqlens [sequences + 1]."""
    return torch.cat([mean_pooling(one, chunk_size) for one in sequences(x, cu_seqlens) if one.shape[1]], 1)


def token_shift(x: Tensor, cache: Tensor) -> tuple[Tensor, Tensor]:
    """Return the token before minus each, and the last one; x [batch, tokens, width], cache [batch, width]."""
    shifted = torch.cat([cache[:, None], x], 1)
    return shifted[:, :-1] - x, shifted[:, -1]


def token_shift_of_sequences(x: Tensor, cu_seqlens: Tensor, cache: Tensor) -> tuple[Tensor, Tensor]:
    """Do so in each sequence; x [1, tokens, width], cu_seqlens [sequences + 1], cache [sequences, width]."""
    each = [token_shift(one, cache[at, None]) for at, one in enumerate(sequences(x, cu_seqlens))]
    return torch.cat([shifted for shifted, _ in each], 1), torch.cat([last for _, last in each])


def logcumsumexp(x: Tensor) -> Tensor:
    """Return the logarithm of sums of exponentials along dim 1 of x [batch, tokens, width]."""
    return torch.logcumsumexp(x, 1)


def gated_recurrence(x: Tensor, gate: Tensor, initial: Tensor) -> tuple[Tensor, Tensor]:
    """Return h = exp(gate) · h + x at each token, and the last h.

    x, gate [batch, tokens, width]; initial [batch, width], what h is before.
    """
    h, out = wide(initial), [wide(x[:, :0])]
    for t in range(x.shape[1]):
        h = wide(gate[:, t]).exp() * h + wide(x[:, t])
        out.append(h[:, None])
    return torch.cat(out, 1).to(x.dtype), h


def causal_conv1d(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Convolve each channel with its past, and apply silu.

    x [batch, tokens, channels], weight [channels, width], bias [channels].
    """
    padded = F.pad(x.transpose(1, 2), (weight.shape[1] - 1, 0))
    return F.silu(F.conv1d(padded, weight[:, None], bias, groups=weight.shape[0])).transpose(1, 2)


def pack(x: Tensor, cu_seqlens: Tensor) -> Tensor:
    """Return the last tokens of each row of x [batch, tokens, …], as many as cu_seqlens [batch + 1] says, together."""
    lengths = cu_seqlens.diff().tolist()
    return torch.cat([row[row.shape[0] - length :] for row, length in zip(x, lengths, strict=True)])


def sequences(x: Tensor, cu_seqlens: Tensor) -> tuple[Tensor, ...]:
    """Cut x [1, tokens, …] into its sequences; cu_seqlens [sequences + 1] from 0 to tokens."""
    return x.split(cu_seqlens.diff().tolist(), 1)
