# engines, onnxruntime.bounded on cpu: WRONG_DTYPE [2] dtype float32 where eager gives float16
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

from torch import Tensor

def reference(x_BD, sizes_3):
    first, second, third = torch.split(x_BD, sizes_3.tolist())
    return (first * 1.5, torch.relu(second), third.sum(0))
example = (torch.zeros([5, 8], dtype=torch.float16), torch.zeros([3], dtype=torch.int64))
batch = torch.export.Dim('batch', min=3, max=16)
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

def make(program, provider='CPUExecutionProvider'):
    import onnxruntime
    model = torch.onnx.export(program, dynamo=True, verbose=False)
    assert model is not None
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / 'model.onnx')
        model.save(path)
        size = Path(path).stat().st_size
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, options, providers=[provider])
    names = [one.name for one in session.get_inputs()]

    def call(*tensors):
        values = map(onnxruntime.OrtValue.ortvalue_from_numpy, (tensor.numpy() for tensor in tensors))
        found = session.run_with_ort_values(None, dict(zip(names, values, strict=True)))
        return [torch.from_numpy(one.numpy()) for one in found]
    return (call, lambda: {'bytes': size, 'artifacts': 1})
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
    ((torch.randn(72, generator=G).to(torch.float16).reshape((9, 8)).data, torch.tensor([0, 9, 0], dtype=torch.int64), ), {}),
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
