# engines, tvm.bounded on cpu: RAISED build raised EngineError: tvm raised InternalError at load: Check failed: (data_type == PrimType::Float(32) || data_type == PrimType::Float(16)) is false: layer_norm: only support float32 and float16 for now
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
from torch import Tensor

def reference(x_BSD, weight_D, bias_D):
    return F.layer_norm(x_BSD, (x_BSD.size(-1),), weight_D, bias_D)
example = (torch.zeros([5, 13, 8], dtype=torch.float64), torch.zeros([8], dtype=torch.float64), torch.zeros([8], dtype=torch.float64))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: seq}, {}, {}),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(168, generator=G).to(torch.float64).reshape((3, 7, 8)).data, torch.tensor([0.2459428310394287, -0.13116787374019623, -0.17851807177066803, -0.5958930850028992, 0.27386975288391113, 0.567926287651062, -0.6731024384498596, -1.209532380104065], dtype=torch.float64), torch.tensor([1.344070315361023, 2.3832194805145264, -0.5664638876914978, -1.1536167860031128, -2.502300977706909, 0.8755577802658081, -2.67256498336792, -0.031332600861787796], dtype=torch.float64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
