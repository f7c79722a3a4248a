"""Tensors of the programs of `symbolic`, built so that data-dependent sizes come out as wanted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import torch
from torch import Tensor

from eagerdiff.strategies.layouts import lay_out

_FIXED = {"heads": 4, "groups": 2, "hidden": 12, "layers": 3, "vocabulary": 16}
_CHANGING = frozenset({"batch", "seq", "count"})
Counts = Callable[[int, int], tuple[int, int]]
"""Least and most count for a batch and a sequence."""


class Draft:
    """Build tensors by the names of their axes, all randomness from one generator."""

    def __init__(
        self, sizes: Mapping[str, int], *, dtype: torch.dtype, layout: str, generator: torch.Generator
    ) -> None:
        self.sizes = {**_FIXED, **sizes, "pair": 2 * sizes["width"]}
        self.dtype = dtype
        self.layout = layout
        self.generator = generator

    def __getitem__(self, axis: str) -> int:
        return self.sizes[axis]

    def shape(self, axes: str) -> list[int]:
        """Return the sizes of space-separated axes."""
        return [self.sizes[axis] for axis in axes.split()]

    def normal(self, axes: str) -> Tensor:
        """Draw standard normal values [*sizes of axes]; in the case's layout where an axis changes."""
        values = torch.randn(self.shape(axes), generator=self.generator).to(self.dtype)
        return lay_out(values, self.layout) if _CHANGING & set(axes.split()) else values

    def weight(self, axes: str) -> Tensor:
        """Draw a matrix [*sizes of axes], two axes at least, that keeps the variance of what it multiplies."""
        values = torch.randn(self.shape(axes), generator=self.generator) * self.shape(axes)[-2] ** -0.5
        return values.to(self.dtype)

    def mask(self, axes: str) -> Tensor:
        """Draw a boolean tensor [*sizes of axes] with exactly `count` true."""
        shape = self.shape(axes)
        total = int(torch.tensor(shape).prod())
        flat = torch.arange(total) < self["count"]
        return flat[torch.randperm(total, generator=self.generator)].view(shape)

    def below(self, most: int, size: int) -> Tensor:
        """Draw int64 values [size] in [0, most), or zeros where `most` is 0."""
        return torch.randint(0, max(most, 1), (size,), generator=self.generator)

    def signed(self, positive: Tensor) -> Tensor:
        """Draw values well away from 0, positive where asked: no rounding changes what is chosen.

        positive bool [...]; the result has its shape and the case's layout.
        """
        values = torch.randn(positive.shape, generator=self.generator).abs() + 0.125
        return lay_out(torch.where(positive, values, -values).to(self.dtype), self.layout)

    def distinct_ids(self) -> Tensor:
        """Draw int64 ids [batch] of which exactly `count` are distinct."""
        chosen = torch.randperm(self["vocabulary"], generator=self.generator)[: self["count"]]
        further = self.below(self["count"], self["batch"] - self["count"])
        ids = torch.cat((chosen, chosen[further]))
        return ids[torch.randperm(self["batch"], generator=self.generator)]

    def repeats(self) -> Tensor:
        """Draw int64 repeat counts [batch] that sum to `count`."""
        if not self["batch"]:
            return torch.zeros(0, dtype=torch.int64)
        return torch.bincount(self.below(self["batch"], self["count"]), minlength=self["batch"])

    def bins(self) -> Tensor:
        """Draw int64 ids [batch] the largest of which is `count - 1`."""
        ids = self.below(self["count"], self["batch"])
        return ids.index_fill(0, self.below(self["batch"], 1), self["count"] - 1) if self["batch"] else ids

    def three_sizes(self) -> Tensor:
        """Draw three sizes, int64 [3], that sum to `batch`, the first of them `count`."""
        second = int(self.below(self["batch"] - self["count"] + 1, 1))
        return torch.tensor([self["count"], second, self["batch"] - self["count"] - second])

    def exits(self) -> Tensor:
        """Return a bias a layer [layers] that makes layer `count` confident and no other."""
        return torch.where(torch.arange(self["layers"]) == self["count"], 8.0, -8.0).to(self.dtype)


@dataclass(frozen=True)
class Spec:
    """Say how the inputs of one program are built, and what its counts may be."""

    build: Callable[[Draft], tuple[Tensor, ...]]
    counts: Counts = lambda batch, seq: (0, 0)
    has_seq: bool = True
    least_seq: int = 0


def _rows(batch: int, seq: int) -> tuple[int, int]:
    return 0, batch


def _elements(batch: int, seq: int) -> tuple[int, int]:
    return 0, batch * seq


def _distinct(batch: int, seq: int) -> tuple[int, int]:
    return min(batch, 1), min(batch, _FIXED["vocabulary"])


PROGRAMS = MappingProxyType(
    {
        "mlp": Spec(
            lambda d: (
                d.normal("batch seq width"),
                d.weight("width hidden"),
                d.normal("hidden"),
                d.weight("hidden width"),
            )
        ),
        "layer_norm": Spec(lambda d: (d.normal("batch seq width"), d.normal("width"), d.normal("width"))),
        "rms_norm_residual": Spec(
            lambda d: (d.normal("batch seq width"), d.normal("batch seq width"), d.normal("width"))
        ),
        "softmax_pool": Spec(lambda d: (d.normal("batch seq width"), d.normal("batch seq"))),
        "flatten_tokens": Spec(lambda d: (d.normal("batch seq width"), d.weight("width hidden"))),
        "pad_to_multiple": Spec(lambda d: (d.normal("batch seq width"),)),
        "strided_rows": Spec(lambda d: (d.normal("seq batch"), d.normal("batch seq"))),
        "expanded_bias": Spec(lambda d: (d.normal("batch seq"), d.normal("seq"))),
        "branch_on_length": Spec(lambda d: (d.normal("batch width"),), has_seq=False),
        "length_mask": Spec(lambda d: (d.normal("batch seq width"), d.below(d["seq"] + 1, d["batch"]))),
        "rotary": Spec(lambda d: (d.normal("batch seq heads pair"),)),
        "append_cache": Spec(
            lambda d: (d.normal("batch count width"), d.normal("batch seq width")), counts=lambda batch, seq: (0, 48)
        ),
        "causal_attention": Spec(lambda d: tuple(d.normal("batch heads seq width") for _ in range(3))),
        "repeat_heads": Spec(lambda d: (d.normal("batch heads seq width"), d.normal("batch groups seq width"))),
        "moving_average": Spec(lambda d: (d.normal("batch seq"),), least_seq=1),
        "last_token": Spec(
            lambda d: (d.normal("batch seq width"), d.below(d["seq"] + 1, d["batch"]), d.weight("width hidden")),
            least_seq=1,
        ),
        "pairwise_distance": Spec(lambda d: (d.normal("batch width"), d.normal("seq width"))),
        "nonzero_positions": Spec(lambda d: (d.signed(d.mask("batch seq")),), counts=_elements),
        "select_and_scale": Spec(lambda d: (d.normal("batch seq"), d.mask("batch seq")), counts=_elements),
        "boolean_rows": Spec(
            lambda d: (d.normal("batch width"), d.mask("batch"), d.weight("width hidden")), counts=_rows, has_seq=False
        ),
        "unique_ids": Spec(lambda d: (d.distinct_ids(), d.normal("vocabulary width")), counts=_distinct, has_seq=False),
        "repeat_rows": Spec(
            lambda d: (d.normal("batch width"), d.repeats()),
            counts=lambda batch, seq: (0, 64 if batch else 0),
            has_seq=False,
        ),
        "slice_by_item": Spec(
            lambda d: (d.normal("batch width"), torch.tensor(d["count"])), counts=_rows, has_seq=False
        ),
        "split_by_sizes": Spec(lambda d: (d.normal("batch width"), d.three_sizes()), counts=_rows, has_seq=False),
        "topk_by_tensor": Spec(
            lambda d: (d.normal("batch seq"), torch.tensor(d["count"])), counts=lambda batch, seq: (0, seq)
        ),
        "count_ids": Spec(
            lambda d: (d.bins(), d.normal("batch")), counts=lambda batch, seq: (min(batch, 1), 20), has_seq=False
        ),
        "fill_masked": Spec(
            lambda d: (d.normal("batch seq"), d.mask("batch seq"), d.normal("count")), counts=_elements
        ),
        "early_exit": Spec(
            lambda d: (d.normal("batch width"), d.weight("layers width width"), d.exits()),
            counts=lambda batch, seq: (0, 3),
            has_seq=False,
        ),
        "cond_on_sum": Spec(
            lambda d: (d.signed(torch.full((d["batch"], d["width"]), d["count"] == 1)),),
            counts=lambda batch, seq: (0, 1),
            has_seq=False,
        ),
        "cond_on_item": Spec(
            lambda d: (d.normal("batch width"), torch.tensor(d["count"] == 1)),
            counts=lambda batch, seq: (0, 1),
            has_seq=False,
        ),
    }
)
"""How to build each program's inputs, by name; the names are those of `eagerdiff.reference.symbolic.PROGRAMS`."""
