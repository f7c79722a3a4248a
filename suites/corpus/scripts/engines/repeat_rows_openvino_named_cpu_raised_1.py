# engines, openvino.named on cpu: RAISED build raised EngineError: openvino raised RuntimeError at load: Unexpected: CPU plug-in doesn't support Tile operation with dynamic rank. Operation name: repeat_interleave/aten.repeat_interleave.self_Tensor/Tile
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD, count_B):
    return torch.repeat_interleave(x_BD, count_B, dim=0) + 1.0
example = (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([5], dtype=torch.int64))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {0: batch}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    import openvino
    core = openvino.Core()
    core.set_property('CPU', {'INFERENCE_NUM_THREADS': 1, 'INFERENCE_PRECISION_HINT': 'f32'})
    compiled = core.compile_model(openvino.convert_model(program), 'CPU')

    def call(*tensors):
        given = [openvino.Tensor(tensor.contiguous().numpy(), tensor.shape) for tensor in tensors]
        found = compiled(given)
        return [torch.from_numpy(found[port].copy()) for port in compiled.outputs]
    return (call, lambda: {'bytes': compiled.export_model().getbuffer().nbytes, 'artifacts': 1})
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 8)).data, torch.tensor([], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
