"""Jagged tensors: sequences of several lengths one after another, and offsets that say where each begins."""

import torch
import torch.nn.functional as F
from torch import Tensor


def dense_bmm_add(offsets: Tensor, jagged: Tensor, dense: Tensor, bias: Tensor) -> Tensor:
    """Multiply each sequence by a matrix of its own and add a row: the result [total, columns].

    offsets [sequences + 1]; jagged [total, rows]; dense [sequences, rows, columns]; bias [sequences, columns].
    """
    each = [part @ dense[at] + bias[at] for at, part in enumerate(parts(jagged, offsets))]
    return torch.cat([jagged.new_empty(0, dense.shape[2]), *each])


def broadcast_add(offsets: Tensor, jagged: Tensor, dense: Tensor) -> Tensor:
    """Add to each row what is its sequence's.

    offsets [sequences + 1], jagged [total, width], dense [sequences, width].
    """
    return jagged + dense.repeat_interleave(offsets.diff(), 0)


def concat(a: Tensor, b: Tensor, offsets_a: Tensor, offsets_b: Tensor) -> Tensor:
    """Put each sequence of b behind that of a; a, b [total of each, width], offsets [sequences + 1]."""
    pairs = zip(parts(a, offsets_a), parts(b, offsets_b), strict=True)
    return torch.cat([a[:0], *(part for pair in pairs for part in pair)])


def split(values: Tensor, offsets_a: Tensor, offsets_b: Tensor) -> tuple[Tensor, Tensor]:
    """Take apart what `concat` put together; values [total of both, width], offsets [sequences + 1]."""
    whole = parts(values, offsets_a + offsets_b)
    cut = [
        part.split([part.shape[0] - of_b, of_b]) for part, of_b in zip(whole, offsets_b.diff().tolist(), strict=True)
    ]
    return torch.cat([values[:0], *(a for a, _ in cut)]), torch.cat([values[:0], *(b for _, b in cut)])


def hstu_attention(q: Tensor, k: Tensor, v: Tensor, offsets: Tensor, length: int) -> Tensor:
    """Attend causally within sequences by silu(q kᵀ) / length in place of softmax (arXiv 2402.17152).

    q, k [total, heads, width]; v and the result [total, heads, values]; offsets [sequences + 1].
    """
    out = [v[:0]]
    for query, key, value in zip(*(parts(one, offsets) for one in (q, k, v)), strict=True):
        weights = F.silu(torch.einsum("qhd,khd->hqk", query, key)).tril() / length
        out.append(torch.einsum("hqk,khd->qhd", weights, value))
    return torch.cat(out)


def index_select_cat(source: Tensor, index: Tensor) -> Tensor:
    """Return the rows of source [rows, width] that index [picked] names, flat."""
    return source[index].flatten()


def scaled_index_add(x: Tensor, index: Tensor, source: Tensor, scaling: Tensor) -> Tensor:
    """Add source · scaling at index, in place, and return x.

    x [rows, length, width], index [picked], source [picked, length, width], scaling [width].
    """
    return x.index_add_(0, index, source * scaling)


def parts(jagged: Tensor, offsets: Tensor) -> tuple[Tensor, ...]:
    """Cut jagged [total, …] into sequences; offsets [sequences + 1] from 0 to total."""
    return jagged.split(offsets.diff().tolist())
