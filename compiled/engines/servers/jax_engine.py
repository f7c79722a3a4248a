# pyright: reportMissingImports=false
"""XLA through JAX: torchax turns a program of torch.export into a function that XLA compiles for each set of shapes."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


@functools.cache
def named_dims() -> torch.library.Library:
    """Define what torchax 0.0.13 names and torch 2.13 has no more; return what holds it."""
    gone = torch.library.Library("aten", "FRAGMENT")
    for names in (
        "all.dimname all.dimname_out index_add.dimname index_copy.dimname index_copy_.dimname prod.dim_Dimname",
        "index_fill.Dimname_Scalar index_fill.Dimname_Tensor index_fill_.Dimname_Scalar index_fill_.Dimname_Tensor",
        "norm.names_ScalarOpt_dim norm.names_ScalarOpt_dim_dtype norm.names_dtype_out norm.names_out unbind.Dimname",
        "std.correction_names std.correction_names_out std.names_dim std.names_out",
        "std_mean.correction_names std_mean.names_dim",
    ):
        for name in names.split():
            operation, overload = name.split(".")
            if not hasattr(getattr(torch.ops.aten, operation), overload):
                gone.define(f"{name}(Tensor self) -> Tensor")
    return gone


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Turn a program into a function of JAX' and jit it: one executable a set of shapes.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    named_dims()
    import jax

    jax.config.update("jax_enable_x64", True)
    from torchax.export import exported_program_to_jax

    weights, function = exported_program_to_jax(program)
    compiled: dict[object, Any] = {}

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        given = tuple(jax.dlpack.from_dlpack(tensor.contiguous()) for tensor in tensors)
        shapes = tuple(one.shape for one in given)
        if shapes not in compiled:
            compiled[shapes] = jax.jit(function).lower(weights, given).compile()
        return [torch.from_dlpack(one).clone() for one in jax.tree.leaves(compiled[shapes](weights, given))]

    return call, lambda: {"artifacts": len(compiled)}
