# engines, jax_symbolic.bounded on cpu: RAISED build raised EngineError: jax_symbolic raised AssertionError at load: [JitTracer(bfloat16[s33,1]), JitTracer(bfloat16[1,1])] can only be of (<class 'torch.Tensor'>, <class 'int'>, <class 'torch.SymInt'>) but got (<class 'jax._src.interpreters.partial_ev
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD, w_LDD, bias_L):

    def as_it_is(x, w):
        return x + 0.0

    def computed(x, w):
        return torch.tanh(x @ w)
    done = torch.zeros((), dtype=torch.bool, device=x_BD.device)
    for layer in range(w_LDD.size(0)):
        x_BD = torch.cond(done, as_it_is, computed, (x_BD, w_LDD[layer]))
        done = done | (torch.sigmoid(bias_L[layer]) > 0.9)
    return x_BD
example = (torch.zeros([5, 1], dtype=torch.bfloat16), torch.zeros([3, 1, 1], dtype=torch.bfloat16), torch.zeros([3], dtype=torch.bfloat16))
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: batch}, {}, {}),)

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
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([-0.12890625, -1.046875, -0.875, -0.031982421875, 0.306640625, -0.51171875, -0.84375, 1.515625], dtype=torch.bfloat16).reshape((8, 1)).data, torch.tensor([-0.56640625, -0.310546875, 0.345703125], dtype=torch.bfloat16).reshape((3, 1, 1)).data, torch.tensor([-8.0, -8.0, 8.0], dtype=torch.bfloat16), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
