# engines, jax_symbolic.named on cpu: RAISED build raised EngineError: jax_symbolic raised AssertionError at load: [JitTracer(bfloat16[s33,8])] can only be of (<class 'torch.Tensor'>, <class 'int'>, <class 'torch.SymInt'>) but got (<class 'jax._src.interpreters.partial_eval.DynamicJaxprTracer'>,)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD):

    def positive(x):
        return torch.sin(x) + 1.0

    def negative(x):
        return x * x - 0.5
    return torch.cond(x_BD.sum() > 0, positive, negative, (x_BD,))
example = (torch.zeros([5, 8], dtype=torch.bfloat16),)
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

@functools.cache
def named_dims():
    gone = torch.library.Library('aten', 'FRAGMENT')
    for names in ('all.dimname all.dimname_out index_add.dimname index_copy.dimname index_copy_.dimname prod.dim_Dimname', 'index_fill.Dimname_Scalar index_fill.Dimname_Tensor index_fill_.Dimname_Scalar index_fill_.Dimname_Tensor', 'norm.names_ScalarOpt_dim norm.names_ScalarOpt_dim_dtype norm.names_dtype_out norm.names_out unbind.Dimname', 'std.correction_names std.correction_names_out std.names_dim std.names_out', 'std_mean.correction_names std_mean.names_dim'):
        for name in names.split():
            operation, overload = name.split('.')
            if not hasattr(getattr(torch.ops.aten, operation), overload):
                gone.define(f'{name}(Tensor self) -> Tensor')
    return gone

def make(program):
    named_dims()
    import jax
    jax.config.update('jax_enable_x64', True)
    from torchax.export import exported_program_to_jax
    weights, function = exported_program_to_jax(program)
    compiled: dict[object, Any] = {}

    def call(*tensors):
        given = tuple((jax.dlpack.from_dlpack(tensor.contiguous()) for tensor in tensors))
        shapes = tuple((one.shape for one in given))
        if shapes not in compiled:
            compiled[shapes] = jax.jit(function).lower(weights, given).compile()
        return [torch.from_dlpack(one).clone() for one in jax.tree.leaves(compiled[shapes](weights, given))]
    return (call, lambda: {'artifacts': len(compiled)})
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    named_dims()
    import jax
    jax.config.update('jax_enable_x64', True)
    from torchax.export import exported_program_to_jax
    weights, function = exported_program_to_jax(program)
    nodes = {node.name: node for node in program.graph.nodes}
    values = [nodes[name].meta['val'] for name in program.graph_signature.user_inputs if isinstance(name, str)]
    scope = jax.export.SymbolicScope([f'{symbol} {sign} {int(bound)}' for symbol, limits in program.range_constraints.items() for sign, bound in (('>=', limits.lower), ('<=', limits.upper)) if bound.is_Integer])
    given = tuple((jax.ShapeDtypeStruct(jax.export.symbolic_shape(','.join(map(str, value.shape)) + ',', scope=scope) if value.dim() else (), jax.dlpack.from_dlpack(torch.empty(1, dtype=value.dtype)).dtype) for value in values))
    exported = jax.export.export(jax.jit(function))(weights, given)
    called = jax.jit(exported.call)

    def call(*tensors):
        found = called(weights, tuple((jax.dlpack.from_dlpack(tensor.contiguous()) for tensor in tensors)))
        return [torch.from_dlpack(one).clone() for one in jax.tree.leaves(found)]
    return (call, lambda: {'bytes': len(exported.serialize()), 'artifacts': 1})
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)

calls = [
    ((torch.tensor([], dtype=torch.bfloat16).reshape((0, 8)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
