# engines, tvm.outside on cpu: RAISED build raised EngineError: tvm raised TypeError at load: Binary operators must have the same datatype for both operands. However, R.divide(lv1, s50 + s81) uses datatype T.float32 on the LHS (Type of R.Tensor((s33, 8), dtype="float32")), and datatype T.i
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(cache_BTD, new_BSD):
    whole = torch.cat((cache_BTD, new_BSD), dim=1)
    return (whole, whole.sum(1) / max(whole.size(1), 1))
example = (torch.zeros([5, 3, 8], dtype=torch.float32), torch.zeros([5, 13, 8], dtype=torch.float32))
batch = torch.export.Dim('batch', min=3, max=16)
cache = torch.export.Dim('cache', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: cache}, {0: batch, 1: seq}),)

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
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16 and (3 <= args[1].size(1) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0, 8)).data, torch.tensor([], dtype=torch.float32).reshape((0, 0, 8)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
