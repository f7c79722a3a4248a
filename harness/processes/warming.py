"""Warming: what a compiler does at its first use, done once in the fork server rather than in each of its workers."""

import contextlib
from collections.abc import Collection
from typing import TYPE_CHECKING

from eagerdiff.harness.model.identity import Stage

if TYPE_CHECKING:
    from torch import Tensor


def warm_up(stages: Collection[Stage | None]) -> None:
    """Compile something small as far as what is to be searched goes; nothing where nothing there is compiled.

    Torch's compilers load modules, register patterns and ask for the processor at their first use: for a second, which
    each implementation's process would spend anew.
    """
    asked = set(stages) - {None}
    if not asked:
        return
    import torch

    inductor = bool(asked & {Stage.INDUCTOR, Stage.AOT_INDUCTOR})
    compiled = torch.compile(_small, backend="inductor" if inductor else "aot_eager", dynamic=True)
    with contextlib.suppress(Exception):  # what cannot compile here is said of each case; here it only takes longer
        compiled(torch.ones(3, 4), torch.ones(4, 5))
    torch.compiler.reset()


def _small(x: "Tensor", y: "Tensor") -> "Tensor":
    """Return what has a product, a sum and something to fuse."""
    return (x.relu() @ y).sum(-1) + x.shape[0]
