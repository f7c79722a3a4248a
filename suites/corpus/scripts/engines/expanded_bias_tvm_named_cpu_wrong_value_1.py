# engines, tvm.named on cpu: WRONG_VALUE [1] an element is off by more than its terms and eager's error allow (rmse 2.01, eager_rmse 0, excess 1.1e+38, worst_error 3.22, worst_allowed 2.94e-38, worst_index 0, allowed 4.11e-38, got -3.21875, expected 0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

from torch import Tensor

def reference(x_BS, bias_S):
    bias_BS = bias_S.expand(x_BS.size(0), -1)
    return (torch.sigmoid(x_BS + bias_BS), (x_BS * bias_BS).sum(0))
example = (torch.zeros([5, 13, 2], dtype=torch.bfloat16).as_strided([5, 13], [26, 2], 0), torch.zeros([13, 2], dtype=torch.bfloat16).as_strided([13], [2], 0))
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 1: seq}, {0: seq}),)

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
    ((torch.tensor([-0.9609375, -0.9609375, -2.40625, -2.40625, 0.828125, 0.828125, 0.16015625, 0.16015625, 1.8125], dtype=torch.bfloat16).as_strided((5, 1), (2, 2)).data, torch.tensor([1.15625], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([-0.9609375, -0.9609375, -2.40625, -2.40625, 0.828125, 0.828125, 0.16015625, 0.16015625, 1.8125], dtype=torch.bfloat16).as_strided((5, 1), (2, 2)).data, torch.tensor([1.15625], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([-2.3125, -2.3125, 0.984375, 0.984375, -1.3125, -1.3125, -0.166015625, -0.166015625, 0.484375], dtype=torch.bfloat16).as_strided((5, 1), (2, 2)).data, torch.tensor([1.3828125], dtype=torch.bfloat16), ), {}),
    ((torch.randn(49, generator=G).to(torch.bfloat16).as_strided((25, 1), (2, 2)).data, torch.tensor([1.015625], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([-0.0498046875, -0.0498046875, 1.234375, 1.234375, -1.109375, -1.109375, 0.77734375, 0.77734375, -1.328125, -1.328125, -0.259765625, -0.259765625, -0.326171875, -0.326171875, -0.7109375, -0.7109375, 0.609375, 0.609375, -0.036865234375, -0.036865234375, -1.3046875, -1.3046875, 0.796875, 0.796875, -0.89453125, -0.89453125, 0.73046875, 0.73046875, 0.1669921875, 0.1669921875, 0.057861328125, 0.057861328125, 0.048583984375, 0.048583984375, -0.328125, -0.328125, -1.6328125, -1.6328125, 0.443359375], dtype=torch.bfloat16).as_strided((20, 1), (2, 2)).data, torch.tensor([1.9140625], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([-2.3125, -2.3125, 0.984375, 0.984375, -1.3125, -1.3125, -0.166015625, -0.166015625, 0.484375], dtype=torch.bfloat16).as_strided((5, 1), (2, 2)).data, torch.tensor([1.3828125], dtype=torch.bfloat16), ), {}),
    ((torch.randn(255, generator=G).to(torch.bfloat16).as_strided((128, 1), (2, 2)).data, torch.tensor([0.828125], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([], dtype=torch.bfloat16).reshape((0, 4)).data, torch.tensor([-2.171875, -2.171875, 1.078125, 1.078125, -0.083984375, -0.083984375, 0.267578125], dtype=torch.bfloat16).as_strided((4,), (2,)).data, ), {}),
    ((torch.tensor([-0.10400390625, -0.10400390625, -0.150390625, -0.150390625, -0.69921875, -0.69921875, 0.39453125, 0.39453125, 0.48046875], dtype=torch.bfloat16).as_strided((5, 1), (2, 2)).data, torch.tensor([-0.6484375], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([-0.37890625, -0.37890625, 0.06494140625, 0.06494140625, -0.75390625, -0.75390625, 0.671875, 0.671875, -0.490234375, -0.490234375, 0.69140625, 0.69140625, 0.046875, 0.046875, -0.185546875], dtype=torch.bfloat16).as_strided((8, 1), (2, 2)).data, torch.tensor([-1.84375], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([-0.0498046875, -0.0498046875, 1.234375, 1.234375, -1.109375, -1.109375, 0.77734375, 0.77734375, -1.328125, -1.328125, -0.259765625, -0.259765625, -0.326171875, -0.326171875, -0.7109375, -0.7109375, 0.609375, 0.609375, -0.036865234375, -0.036865234375, -1.3046875, -1.3046875, 0.796875, 0.796875, -0.89453125, -0.89453125, 0.73046875, 0.73046875, 0.1669921875, 0.1669921875, 0.057861328125, 0.057861328125, 0.048583984375, 0.048583984375, -0.328125, -0.328125, -1.6328125, -1.6328125, 0.443359375], dtype=torch.bfloat16).as_strided((20, 1), (2, 2)).data, torch.tensor([1.9140625], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([], dtype=torch.bfloat16).reshape((0, 4)).data, torch.tensor([-2.171875, -2.171875, 1.078125, 1.078125, -0.083984375, -0.083984375, 0.267578125], dtype=torch.bfloat16).as_strided((4,), (2,)).data, ), {}),
    ((torch.tensor([-0.11181640625], dtype=torch.bfloat16).reshape((1, 1)).data, torch.tensor([-1.1484375], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([0.33203125, 0.33203125, -0.546875, -0.546875, -0.98046875, -0.98046875, -1.125, -1.125, -1.4921875], dtype=torch.bfloat16).as_strided((5, 1), (2, 2)).data, torch.tensor([0.46484375], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([0.890625, 0.890625, -0.62890625, -0.62890625, 0.96875, 0.96875, -0.392578125, -0.392578125, -0.89453125, -0.89453125, -2.34375, -2.34375, -0.158203125, -0.158203125, 0.46484375, 0.46484375, 0.39453125, 0.39453125, -0.734375, -0.734375, 0.40625, 0.40625, 1.4296875, 1.4296875, 0.5625, 0.5625, -0.375, -0.375, 0.671875, 0.671875, 1.0546875, 1.0546875, -1.5390625, -1.5390625, -2.203125, -2.203125, -0.85546875, -0.85546875, -0.34375, -0.34375, 0.85546875, 0.85546875, -1.703125], dtype=torch.bfloat16).as_strided((22, 1), (2, 2)).data, torch.tensor([-1.2890625], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([1.4140625, 1.4140625, 0.21484375, 0.21484375, -0.83203125, -0.83203125, 0.0595703125, 0.0595703125, 1.90625], dtype=torch.bfloat16).as_strided((5, 1), (2, 2)).data, torch.tensor([-1.2734375], dtype=torch.bfloat16), ), {}),
    ((torch.randn(889, generator=G).to(torch.bfloat16).as_strided((5, 89), (178, 2)).data, torch.randn(177, generator=G).to(torch.bfloat16).as_strided((89,), (2,)).data, ), {}),
    ((torch.tensor([], dtype=torch.bfloat16).reshape((0, 1)).data, torch.tensor([-0.1982421875], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([0.09716796875, 0.09716796875, 0.18359375, 0.18359375, 0.5703125, 0.5703125, -0.09375, -0.09375, 0.3203125, 0.3203125, 0.1513671875, 0.1513671875, -0.177734375, -0.177734375, -1.3359375, -1.3359375, -1.6640625, -1.6640625, -0.2421875], dtype=torch.bfloat16).as_strided((5, 2), (4, 2)).data, torch.tensor([-0.6875, -0.6875, -0.6875], dtype=torch.bfloat16).as_strided((2,), (2,)).data, ), {}),
    ((torch.tensor([-0.22265625, -0.22265625, 1.078125, 1.078125, -0.023193359375, -0.023193359375, 0.56640625, 0.56640625, -1.0390625, -1.0390625, 0.11669921875, 0.11669921875, -0.298828125, -0.298828125, 0.60546875], dtype=torch.bfloat16).as_strided((4, 2), (4, 2)).data, torch.tensor([0.13671875, 0.13671875, 0.69140625], dtype=torch.bfloat16).as_strided((2,), (2,)).data, ), {}),
    ((torch.tensor([-0.9609375, -0.9609375, -2.40625, -2.40625, 0.828125, 0.828125, 0.16015625, 0.16015625, 1.8125], dtype=torch.bfloat16).as_strided((5, 1), (2, 2)).data, torch.tensor([1.15625], dtype=torch.bfloat16), ), {}),
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
