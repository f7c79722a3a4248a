# engines, tvm.named on cpu: WRONG_DTYPE dtype float32 where eager gives float16
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F
from torch import Tensor

def reference(x_BSD, w_DH, b_H, v_HD):
    return F.gelu(x_BSD @ w_DH + b_H) @ v_HD
example = (torch.zeros([5, 13, 8], dtype=torch.float16), torch.zeros([8, 12], dtype=torch.float16), torch.zeros([12], dtype=torch.float16), torch.zeros([12, 8], dtype=torch.float16))
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 1: seq}, {}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    import tvm
    from tvm import relax
    from tvm.relax.frontend.torch import from_exported_program
    compiled = tvm.compile(from_exported_program(program), target=tvm.target.Target('llvm'))
    machine = relax.VirtualMachine(compiled, tvm.cpu())

    def call(*tensors):
        found = machine['main'](*[tvm.runtime.from_dlpack(tensor.contiguous()) for tensor in tensors])
        return [torch.from_dlpack(one).clone() for one in found]

    def told():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'library.so'
            compiled.export_library(str(path))
            return {'bytes': path.stat().st_size, 'artifacts': 1}
    return (call, told)
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(168, generator=G).to(torch.float16).reshape((21, 1, 8)).data, torch.randn(96, generator=G).to(torch.float16).reshape((8, 12)).data, torch.tensor([-0.42431640625, 0.9248046875, 2.435546875, -2.205078125, -0.65087890625, -0.29150390625, -0.76806640625, -1.353515625, 0.5380859375, -0.378173828125, 1.46484375, 1.3408203125], dtype=torch.float16), torch.randn(96, generator=G).to(torch.float16).reshape((12, 8)).data, ), {}),
]

def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())

for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
