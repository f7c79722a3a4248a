"""The memory of the pool: keys and values of every block, under the layouts that kernels ask for."""

from typing import Literal

from torch import Tensor

Layout = Literal["kv_first", "block_first", "hnd"]
"""[2, N, P, K, D] (FlashAttention), [N, 2, P, K, D] (FlashInfer) and [N, 2, K, P, D] (heads before slots)."""


class BlockStorage:
    """Hold one layer's cache, and read and write it by block and slot: [2, slots, num_kv_heads, D]."""

    def __init__(self, num_blocks: int, block_size: int, like: Tensor, layout: Layout = "block_first") -> None:
        """Allocate as many blocks for keys and values like `like` [2, tokens, num_kv_heads, D], full of NaN."""
        _, _, heads, dim = like.shape
        shape = {
            "kv_first": (2, num_blocks, block_size, heads, dim),
            "block_first": (num_blocks, 2, block_size, heads, dim),
            "hnd": (num_blocks, 2, heads, block_size, dim),
        }[layout]
        order = {"kv_first": (0, 1, 2, 3, 4), "block_first": (1, 0, 2, 3, 4), "hnd": (1, 0, 3, 2, 4)}[layout]
        self.data = like.new_full(shape, float("nan"))
        self.cache = self.data.permute(order)
        """[2, N, P, K, D], whatever the layout."""

    @property
    def block_size(self) -> int:
        """Slots of a block."""
        return self.cache.shape[2]

    @property
    def block_bytes(self) -> int:
        """Bytes of a block's keys and values."""
        return self.cache[:, 0].nbytes

    def read(self, block: int) -> Tensor:
        """Copy a block out: [2, P, K, D]."""
        return self.cache[:, block].clone()

    def write(self, block: int, kv: Tensor, slot: int = 0) -> None:
        """Write rows [2, slots, K, D] into a block from a slot on."""
        self.cache[:, block, slot : slot + kv.shape[1]] = kv

    def copy(self, source: int, target: int) -> None:
        """Copy a whole block."""
        self.cache[:, target] = self.cache[:, source]

    def scrub(self, block: int) -> None:
        """Fill a block with NaN: nobody may read what was there."""
        self.cache[:, block] = float("nan")

    def gather(self, blocks: Tensor, slots: Tensor) -> Tensor:
        """Copy rows out by block and slot: [2, S, K, D]."""
        return self.cache[:, blocks, slots]
