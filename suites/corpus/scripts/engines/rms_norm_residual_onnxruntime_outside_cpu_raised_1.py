# engines, onnxruntime.outside on cpu: RAISED GuardLost: onnxruntime answered where a guard of the program refuses the call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BSD, residual_BSD, weight_D):
    h = x_BSD + residual_BSD
    scale = torch.rsqrt(h.float().pow(2).mean(-1, keepdim=True) + 1e-06)
    return (h * scale.to(h.dtype) * weight_D, h)
example = (torch.zeros([5, 13, 8], dtype=torch.float32), torch.zeros([5, 13, 8], dtype=torch.float32), torch.zeros([8], dtype=torch.float32))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: seq}, {0: batch, 1: seq}, {}),)

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
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 9, 8)).data, torch.tensor([], dtype=torch.float32).reshape((0, 9, 8)).data, torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
