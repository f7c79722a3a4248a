# engines, tvm.bounded on cpu: RAISED build raised EngineError: tvm raised AssertionError at load: To legalize R.matmul into R.call_tir, the dtype of both operands must be known. However, the LHS getitem has type R.Tensor((s33, 1)) (dtype='None') and the RHS select_2 has type R.Tensor((1,
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
example = (torch.zeros([5, 1], dtype=torch.float64), torch.zeros([3, 1, 1], dtype=torch.float64), torch.zeros([3], dtype=torch.float64))
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: batch}, {}, {}),)

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

calls = [
    ((torch.tensor([1.2670979499816895, -0.29203104972839355, 0.41492101550102234, -1.0612528324127197, 0.4419991970062256, -0.5180734395980835, 0.6399338841438293], dtype=torch.float64).reshape((7, 1)).data, torch.tensor([0.26637277007102966, -0.9605083465576172, 0.34504592418670654], dtype=torch.float64).reshape((3, 1, 1)).data, torch.tensor([-8.0, -8.0, 8.0], dtype=torch.float64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
