# engines, tvm.named on cpu: CRASHED EngineEnded: tvm: its process ended (signal 11) at call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_SD, flag):

    def running(x):
        return x.cumsum(0).contiguous()

    def centred(x):
        return (x - 0.5 * x.mean(-1, keepdim=True)).contiguous()
    return torch.cond(flag, running, centred, (x_SD,))
example = (torch.zeros([20, 5], dtype=torch.float16).as_strided([5, 20], [1, 5], 0), torch.zeros([], dtype=torch.bool))
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float16).reshape((0, 20)).data, torch.tensor([True], dtype=torch.bool).reshape(()).data, ), {}),
    ((torch.randn(80, generator=G).to(torch.float16).as_strided((4, 20), (1, 4)).data, torch.tensor([True], dtype=torch.bool).reshape(()).data, ), {}),
    ((torch.randn(660, generator=G).to(torch.float16).as_strided((33, 20), (1, 33)).data, torch.tensor([True], dtype=torch.bool).reshape(()).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
