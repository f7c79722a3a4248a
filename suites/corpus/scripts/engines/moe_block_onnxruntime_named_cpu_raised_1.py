# engines, onnxruntime.named on cpu: RAISED EngineError: onnxruntime raised Fail at call: [ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running Squeeze node. Name:'node_squeeze_3' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/squeeze.h:5
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
from torch import Tensor

def reference(x_TD, router_DE, up_EDH, down_EHD):
    scores_TE = F.softmax(x_TD @ router_DE, dim=-1)
    weight_T, chosen_T = scores_TE.max(dim=-1)
    result_TD = torch.zeros_like(x_TD)
    for expert in range(router_DE.size(1)):
        rows = torch.nonzero(chosen_T == expert).squeeze(1)
        hidden = F.silu(x_TD[rows] @ up_EDH[expert]) @ down_EHD[expert]
        result_TD = result_TD.index_add(0, rows, hidden * weight_T[rows].unsqueeze(1))
    return result_TD
example = (torch.zeros([5, 16, 2], dtype=torch.float64).as_strided([5, 16], [32, 2], 0), torch.zeros([16, 4], dtype=torch.float64), torch.zeros([4, 16, 12], dtype=torch.float64), torch.zeros([4, 12, 16], dtype=torch.float64))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {}, {}, {}),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float64).reshape((0, 16)).data, torch.randn(64, generator=G).to(torch.float64).reshape((16, 4)).data, torch.randn(768, generator=G).to(torch.float64).reshape((4, 16, 12)).data, torch.randn(768, generator=G).to(torch.float64).reshape((4, 12, 16)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
