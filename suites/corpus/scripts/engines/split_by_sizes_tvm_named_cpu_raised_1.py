# engines, tvm.named on cpu: RAISED build raised EngineError: tvm raised TypeError at load: unsupported operand type(s) for +: 'Node' and 'int'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD, sizes_3):
    first, second, third = torch.split(x_BD, sizes_3.tolist())
    return (first * 1.5, torch.relu(second), third.sum(0))
example = (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([3], dtype=torch.int64))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {}),)

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

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 8)).data, torch.tensor([0, 0, 0], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
