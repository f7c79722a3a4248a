# engines, tvm.bounded on cpu: RAISED build raised EngineError: tvm raised InternalError at load: CodeGenVM cannot emit this Relax operator directly. Run the appropriate lowering pass, or route the operator to an external codegen before VM codegen.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_SB, y_BS):
    return torch.tanh(x_SB.t() + y_BS) * y_BS[:, :1]
example = (torch.zeros([13, 5], dtype=torch.float32), torch.zeros([5, 13], dtype=torch.float32))
seq = torch.export.Dim('seq', min=3, max=16)
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: seq, 1: batch}, {0: batch, 1: seq}),)

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
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([-0.5809909105300903, 1.3641895055770874, 0.141695037484169, 0.5348718166351318, -1.2454957962036133, 0.23431968688964844, -0.15355414152145386, -0.4323720335960388, 2.694345474243164, 0.1920725256204605, -1.015326738357544, 1.2764166593551636], dtype=torch.float32).reshape((4, 3)).data, torch.tensor([0.3981896936893463, -0.3998521864414215, 0.24653033912181854, 0.7272778153419495, 0.828005313873291, 0.6939343810081482, -1.3659987449645996, 1.6758805513381958, 0.6564461588859558, 0.8990780115127563, -2.0156991481781006, 0.4570404589176178], dtype=torch.float32).reshape((3, 4)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
