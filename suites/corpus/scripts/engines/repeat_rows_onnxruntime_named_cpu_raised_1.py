# engines, onnxruntime.named on cpu: RAISED EngineError: onnxruntime raised InvalidArgument at call: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Non-zero status code returned while running Gather node. Name:'node_Gather_11' Status Message: indices element out of data bounds, idx=-1 m
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD, count_B):
    return torch.repeat_interleave(x_BD, count_B, dim=0) + 1.0
example = (torch.zeros([5, 16], dtype=torch.float16).as_strided([5, 16], [0, 1], 0), torch.zeros([5], dtype=torch.int64))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {0: batch}),)

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

calls = [
    ((torch.tensor([], dtype=torch.float16).reshape((0, 16)).data, torch.tensor([], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
