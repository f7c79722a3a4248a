"""Programs whose sizes follow from the values of their inputs."""

import torch
from torch import Tensor

from eagerdiff.reference.symbolic.program import Program

_ITEM = "Dynamo reads a CPU tensor of one integer as a size, and specialises it where it is 0 and where it is 1"
_UNPADDED = "the size of the result is a value, and padding adds to it"


def nonzero_positions(x_BS: Tensor) -> tuple[Tensor, Tensor]:
    """Return where the input [B, S] is positive, int64 [N, 2], and the values there [N]."""
    position_N2 = torch.nonzero(x_BS > 0)
    return position_N2, x_BS[position_N2[:, 0], position_N2[:, 1]]


def select_and_scale(x_BS: Tensor, mask_BS: Tensor) -> Tensor:
    """Select by a mask, bool [B, S], and scale what is left by its count; result [N]."""
    chosen_N = torch.masked_select(x_BS, mask_BS)
    return chosen_N * 2.0 + chosen_N.numel()


def boolean_rows(x_BD: Tensor, keep_B: Tensor, w_DH: Tensor) -> Tensor:
    """Keep some rows by a boolean index [B] and project them; result [N, H]."""
    return torch.relu(x_BD[keep_B] @ w_DH)


def unique_ids(ids_B: Tensor, table_VD: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Look each distinct id up once and scatter the rows back (embedding deduplication).

    ids int64 [B], below V. Return the distinct ids [U] in order, their counts [U], both int64, and the rows [B, D].
    """
    distinct_U, inverse_B, count_U = torch.unique(ids_B, return_inverse=True, return_counts=True)
    rows_UD = table_VD[distinct_U] * 0.5
    return distinct_U, count_U, rows_UD[inverse_B]


def repeat_rows(x_BD: Tensor, count_B: Tensor) -> Tensor:
    """Repeat each row its own number of times (a length regulator); count int64 [B], result [sum of count, D]."""
    return torch.repeat_interleave(x_BD, count_B, dim=0) + 1.0


def slice_by_item(x_BD: Tensor, length: Tensor) -> tuple[Tensor, Tensor]:
    """Slice a prefix whose length is a tensor's value: an integer of no dims, from 0 to B.

    Return the prefix [length, D], scaled, and its sum [D]. Another length raises RuntimeError (`torch._check`).
    """
    n = int(length.item())
    torch._check(n >= 0)  # pyright: ignore[reportPrivateUsage]
    torch._check(n <= x_BD.size(0))  # pyright: ignore[reportPrivateUsage]
    prefix = x_BD[:n]
    return prefix * 3.0, prefix.sum(0)


def split_by_sizes(x_BD: Tensor, sizes_3: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Split rows into three groups whose sizes are values, as expert-parallel dispatch does.

    sizes int64 [3], which sum to B. Return the first two groups [size, D] and the sum of the third [D].
    """
    first, second, third = torch.split(x_BD, sizes_3.tolist())
    return first * 1.5, torch.relu(second), third.sum(0)


def topk_by_tensor(x_BS: Tensor, k: Tensor) -> Tensor:
    """Return the k largest of each row [B, k] in falling order, k being a tensor's value of no dims, from 0 to S.

    Another k raises RuntimeError (`torch._check`).
    """
    count = int(k.item())
    torch._check(count >= 0)  # pyright: ignore[reportPrivateUsage]
    torch._check(count <= x_BS.size(1))  # pyright: ignore[reportPrivateUsage]
    return torch.topk(x_BS, count, dim=-1).values


def count_ids(ids_B: Tensor, weight_B: Tensor) -> tuple[Tensor, Tensor]:
    """Count tokens of each id and sum their weights: as many bins as the largest id needs, 4 at least.

    ids int64 [B], not negative; weight [B]. Return counts, int64 [E], and sums [E] in the weights' dtype.
    """
    counts_E = torch.bincount(ids_B, minlength=4)
    total_E = torch.zeros(counts_E.size(0), device=ids_B.device, dtype=weight_B.dtype)
    return counts_E, total_E.index_add(0, ids_B, weight_B)


def fill_masked(x_BS: Tensor, mask_BS: Tensor, source_N: Tensor) -> Tensor:
    """Write packed values into the masked positions (image tokens into a prompt).

    mask bool [B, S]; source [N], with N at least the number of true; result [B, S].
    """
    return x_BS.masked_scatter(mask_BS, source_N) * 0.5


PROGRAMS = {
    "nonzero_positions": Program(
        function=nonzero_positions, kind="data-dependent", inputs=("batch seq",), unpadded=_UNPADDED
    ),
    "select_and_scale": Program(
        function=select_and_scale, kind="data-dependent", inputs=("batch seq", "batch seq"), unpadded=_UNPADDED
    ),
    "boolean_rows": Program(
        function=boolean_rows, kind="data-dependent", inputs=("batch .", "batch", ". ."), unpadded=_UNPADDED
    ),
    "unique_ids": Program(function=unique_ids, kind="data-dependent", inputs=("batch", ". ."), unpadded=_UNPADDED),
    "repeat_rows": Program(
        function=repeat_rows, kind="data-dependent", inputs=("batch .", "batch"), unpadded=_UNPADDED
    ),
    "slice_by_item": Program(
        function=slice_by_item,
        kind="data-dependent",
        inputs=("batch .", ""),
        unpadded=_UNPADDED,
        graphs=3,
        extra_reason=_ITEM,
    ),
    "split_by_sizes": Program(
        function=split_by_sizes,
        kind="data-dependent",
        inputs=("batch .", "."),
        unpadded=_UNPADDED,
    ),
    "topk_by_tensor": Program(
        function=topk_by_tensor,
        kind="data-dependent",
        inputs=("batch seq", ""),
        unpadded=_UNPADDED,
        graphs=3,
        extra_reason=_ITEM,
    ),
    "count_ids": Program(function=count_ids, kind="data-dependent", inputs=("batch", "batch"), unpadded=_UNPADDED),
    "fill_masked": Program(
        function=fill_masked, kind="data-dependent", inputs=("batch seq", "batch seq", "count"), unpadded=_UNPADDED
    ),
}
