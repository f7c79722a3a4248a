# engines, tvm.bounded on cpu: WRONG_DTYPE dtype float32 where eager gives float64
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

from torch import Tensor

def reference(x_BSD, w_DH):
    batch, seq, width = x_BSD.shape
    tokens = x_BSD.reshape(batch * seq, width)
    return torch.relu(tokens @ w_DH).view(batch, seq, w_DH.size(1))
example = (torch.zeros([5, 13, 1], dtype=torch.float64), torch.zeros([1, 12], dtype=torch.float64))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: seq}, {}),)

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
    ((torch.tensor([-1.0308854579925537, -0.6040518879890442, 0.15830381214618683, -1.2854496240615845, -0.36978352069854736, -0.3822900652885437, 1.03944993019104, -0.5189961791038513, 0.674549400806427, 1.0247617959976196, 0.5280832648277283, 0.9595397710800171, -0.9223964810371399, 0.8610969185829163, -0.760428786277771, 0.6277556419372559, 0.4359959065914154, -0.27820757031440735, -0.6313780546188354, -0.7203210592269897, 1.2634426355361938, 1.483137607574463, 0.43860718607902527, -0.6815215945243835, -0.8794142603874207, 0.6965481042861938, 0.13346974551677704, -1.408846139907837, -0.5217695236206055, -0.5731493234634399, 0.7934582233428955, 1.1425831317901611, 0.5666040778160095, 0.6238884329795837, -0.7096726894378662], dtype=torch.float64).reshape((5, 7, 1)).data, torch.tensor([0.39510929584503174, -0.5407577753067017, -0.8202224969863892, 0.7572586536407471, -0.02988707646727562, 0.48891696333885193, 0.6442510485649109, -1.0802468061447144, -0.029023414477705956, -1.2820597887039185, -1.8772976398468018, 0.33487653732299805], dtype=torch.float64).reshape((1, 12)).data, ), {}),
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
