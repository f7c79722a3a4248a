# pyright: reportMissingImports=false
"""XLA through JAX' export: one module of StableHLO for all sizes that a program declares."""

from collections.abc import Callable, Mapping, Sequence

import torch
from jax_engine import named_dims
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Export a program with symbolic dims, of the ranges that it declares; XLA compiles the module when it is called.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    named_dims()
    import jax

    jax.config.update("jax_enable_x64", True)
    from torchax.export import exported_program_to_jax

    weights, function = exported_program_to_jax(program)
    nodes = {node.name: node for node in program.graph.nodes}
    values = [nodes[name].meta["val"] for name in program.graph_signature.user_inputs if isinstance(name, str)]
    scope = jax.export.SymbolicScope(
        [
            f"{symbol} {sign} {int(bound)}"
            for symbol, limits in program.range_constraints.items()
            for sign, bound in ((">=", limits.lower), ("<=", limits.upper))
            if bound.is_Integer
        ]
    )
    given = tuple(
        jax.ShapeDtypeStruct(
            jax.export.symbolic_shape(",".join(map(str, value.shape)) + ",", scope=scope) if value.dim() else (),
            jax.dlpack.from_dlpack(torch.empty(1, dtype=value.dtype)).dtype,
        )
        for value in values
    )
    exported = jax.export.export(jax.jit(function))(weights, given)
    called = jax.jit(exported.call)

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        found = called(weights, tuple(jax.dlpack.from_dlpack(tensor.contiguous()) for tensor in tensors))
        return [torch.from_dlpack(one).clone() for one in jax.tree.leaves(found)]

    return call, lambda: {"bytes": len(exported.serialize()), "artifacts": 1}
