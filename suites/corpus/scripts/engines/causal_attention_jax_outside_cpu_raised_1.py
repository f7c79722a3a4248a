# engines, jax.outside on cpu: RAISED GuardLost: jax answered where a guard of the program refuses the call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
from torch import Tensor

def reference(q_BHSD, k_BHSD, v_BHSD):
    scores = q_BHSD @ k_BHSD.transpose(-1, -2) * q_BHSD.size(-1) ** (-0.5)
    position = torch.arange(q_BHSD.size(2), device=q_BHSD.device)
    scores = scores.masked_fill(position > position.unsqueeze(1), float('-inf'))
    return F.softmax(scores, dim=-1) @ v_BHSD
example = (torch.zeros([4, 5, 13, 20], dtype=torch.bfloat16).as_strided([5, 4, 13, 20], [260, 1300, 20, 1], 0), torch.zeros([4, 5, 13, 20], dtype=torch.bfloat16).as_strided([5, 4, 13, 20], [260, 1300, 20, 1], 0), torch.zeros([4, 5, 13, 20], dtype=torch.bfloat16).as_strided([5, 4, 13, 20], [260, 1300, 20, 1], 0))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 2: seq}, {0: batch, 2: seq}, {0: batch, 2: seq}),)

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
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(2) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(19440, generator=G).to(torch.bfloat16).as_strided((3, 4, 81, 20), (1620, 4860, 20, 1)).data, torch.randn(19440, generator=G).to(torch.bfloat16).as_strided((3, 4, 81, 20), (1620, 4860, 20, 1)).data, torch.randn(19440, generator=G).to(torch.bfloat16).as_strided((3, 4, 81, 20), (1620, 4860, 20, 1)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
