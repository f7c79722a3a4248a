# engines, openvino_onnx.outside on cpu: RAISED GuardLost: openvino_onnx answered where a guard of the program refuses the call
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
example = (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([], dtype=torch.bool))
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

def make(program):
    import openvino
    model = torch.onnx.export(program, dynamo=True, verbose=False)
    assert model is not None
    core = openvino.Core()
    core.set_property('CPU', {'INFERENCE_NUM_THREADS': 1, 'INFERENCE_PRECISION_HINT': 'f32'})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'model.onnx'
        model.save(str(path))
        compiled = core.compile_model(openvino.convert_model(path), 'CPU')

    def call(*tensors):
        given = [openvino.Tensor(tensor.contiguous().numpy(), tensor.shape) for tensor in tensors]
        found = compiled(given)
        return [torch.from_numpy(found[port].copy()) for port in compiled.outputs]
    return (call, lambda: {'bytes': compiled.export_model().getbuffer().nbytes, 'artifacts': 1})
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
    ((torch.tensor([-1.5255959033966064, -0.7502318024635315, -0.6539809107780457, -1.6094847917556763, -0.1001671776175499, -0.6091889142990112, -0.9797722697257996, -1.6090962886810303, -0.7121446132659912, 0.30372199416160583, -0.777314305305481, -0.25145524740219116, -0.22227048873901367, 1.6871134042739868, 0.22842517495155334, 0.46763551235198975], dtype=torch.float32).reshape((2, 8)).data, torch.tensor([False], dtype=torch.bool).reshape(()).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
