"""Tensors of the models of `symbolic`: ragged lengths, pages, routes, boxes."""

from types import MappingProxyType

import torch
from torch import Tensor

from eagerdiff.strategies.symbolic_inputs import Draft, Spec

PAGES, PAGE = 7, 4
"""Pages of the cache, and tokens of a page."""


def _padded_block(d: Draft) -> tuple[Tensor, ...]:
    return (
        d.normal("batch seq pair"),
        d.below(d["seq"], d["batch"]) + 1,
        torch.cat([d.weight("pair pair") for _ in range(3)], dim=1),
        d.weight("pair pair"),
        d.weight("pair hidden"),
        d.weight("hidden pair"),
        d.normal("pair"),
    )


def _packed_block(d: Draft) -> tuple[Tensor, ...]:
    starts = d.below(d["batch"], d["count"]).sort().values
    weights = (d.weight("width width") for _ in range(3))
    return d.normal("batch width"), starts, *weights, d.weight("width hidden"), d.weight("hidden width")


def _paged_decode(d: Draft) -> tuple[Tensor, ...]:
    caches = (torch.randn(PAGES, PAGE, d["width"], generator=d.generator).to(d.dtype) for _ in range(2))
    table = d.below(PAGES, d["batch"] * d["seq"]).view(d["batch"], d["seq"])
    return d.normal("batch width"), *caches, table, d.below(PAGE * d["seq"] + 1, d["batch"])


def _moe_block(d: Draft) -> tuple[Tensor, ...]:
    up = torch.stack([d.weight("width hidden") for _ in range(d["heads"])])
    down = torch.stack([d.weight("hidden width") for _ in range(d["heads"])])
    return d.normal("batch width"), 4 * d.weight("width heads"), up, down


def _exit_in_graph(d: Draft) -> tuple[Tensor, ...]:
    return d.normal("batch width"), d.weight("layers width width"), d.exits()


def _detections(d: Draft) -> tuple[Tensor, ...]:
    corner = torch.rand(d["batch"], 2, generator=d.generator)
    boxes = torch.cat((corner, corner + 0.05 + torch.rand(d["batch"], 2, generator=d.generator) * 0.4), 1)
    scores = torch.randperm(d["batch"], generator=d.generator)  # small integers: all different in any dtype
    return boxes.to(d.dtype), scores.to(d.dtype)


def _conv_encoder(d: Draft) -> tuple[Tensor, ...]:
    first, second = (torch.randn(4, rows, 3, 3, generator=d.generator).to(d.dtype) * 0.3 for rows in (3, 4))
    image = torch.randn(d["batch"], 3, d["seq"], generator=d.generator).to(d.dtype)
    return image, first, second, torch.randn(4, generator=d.generator).to(d.dtype), d.weight("heads hidden")


def _lstm(d: Draft) -> tuple[Tensor, ...]:
    gates = (torch.cat([d.weight(f"{rows} hidden").t() for _ in range(4)]) for rows in ("width", "hidden"))
    return d.normal("batch seq width"), *gates, torch.randn(4 * d["hidden"], generator=d.generator).to(d.dtype)


MODELS = MappingProxyType(
    {
        "padded_block": Spec(_padded_block, least_seq=1),
        "packed_block": Spec(_packed_block, counts=lambda batch, seq: (min(batch, 1), min(batch, 5)), has_seq=False),
        "paged_decode": Spec(_paged_decode),
        "moe_block": Spec(_moe_block, has_seq=False),
        "exit_in_graph": Spec(_exit_in_graph, counts=lambda batch, seq: (0, 2), has_seq=False),
        "detections": Spec(_detections, has_seq=False),
        "conv_encoder": Spec(_conv_encoder, least_seq=1),
        "lstm": Spec(_lstm, least_seq=1),
    }
)
"""How to build each model's inputs, by name; the names are those of `eagerdiff.reference.symbolic.MODELS`."""
