# engines, tvm.bounded on cpu: RAISED build raised EngineError: tvm raised TypeError at load: Take op requires the input indices to have integer dtype. However, the given indices dtype is T.bool
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD, keep_B, w_DH):
    return torch.relu(x_BD[keep_B] @ w_DH)
example = (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([5], dtype=torch.bool).as_strided([5], [1], 0), torch.zeros([8, 12], dtype=torch.float32))
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: batch}, {0: batch}, {}),)

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
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133], dtype=torch.float32).reshape((3, 8)).data, torch.tensor([False, False, False], dtype=torch.bool), torch.randn(96, generator=G).to(torch.float32).reshape((8, 12)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
