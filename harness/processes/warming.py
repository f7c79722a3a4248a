"""Warming: what a compiler does at its first use, done once in the fork server rather than in each of its workers."""

import contextlib
import io
from collections.abc import Collection

import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff.harness.model.identity import Stage

_INPUTS = (3, 3), (4, 5)


def warm_up(stages: Collection[Stage | None], device: str = "cpu") -> None:
    """Compile something small as far as what is to be searched goes; nothing where nothing there is compiled.

    Torch's compilers load modules, register patterns and ask for the processor at their first use: for a second, which
    each implementation's process would spend anew.
    """
    asked = set(stages) - {None}
    if not asked:
        return
    inputs = tuple(torch.ones(shape, device=device) for shape in _INPUTS)
    inductor = bool(asked & {Stage.INDUCTOR, Stage.AOT_INDUCTOR})
    compiled = torch.compile(_small, backend="inductor" if inductor else "aot_eager", dynamic=True)
    with contextlib.suppress(Exception):  # what cannot compile here is said of each case; here it only takes longer
        compiled(*inputs)
    if any(stage is not None and stage.exported for stage in asked):
        for strict in (False, True):
            with contextlib.suppress(Exception):
                _export(inputs, strict=strict)
    torch.compiler.reset()


def _small(x: Tensor, y: Tensor) -> Tensor:
    """Return what has a product, a sum, something to fuse, and a size that is a value."""
    product = F.pad(x, (0, 1)).relu() @ y
    kept = product[torch.nonzero(product > 0)[:, 0]]
    return kept.sum(-1) + x.shape[0] * torch.softmax(product, -1).amax()


class _Small(torch.nn.Module):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return _small(x, y)


def _export(inputs: tuple[Tensor, ...], *, strict: bool) -> None:
    """Export something small, and read it back."""
    sizes = {0: torch.export.Dim("rows", min=2)}
    with io.BytesIO() as file:
        torch.export.save(torch.export.export(_Small(), inputs, dynamic_shapes=(sizes, None), strict=strict), file)
        file.seek(0)
        torch.export.load(file).module()(*inputs)
