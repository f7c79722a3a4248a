# engines, onnxruntime.bounded on cpu: RAISED EngineError: onnxruntime raised RuntimeException at call: [ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running ScatterND node. Name:'node_ScatterND_37' Status Message: CPU execution provider: MLFloat16 da
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
example = (torch.zeros([5, 20, 2], dtype=torch.float16).as_strided([5, 20], [40, 2], 0), torch.zeros([20, 4], dtype=torch.float16), torch.zeros([4, 20, 12], dtype=torch.float16), torch.zeros([4, 12, 20], dtype=torch.float16))
batch = torch.export.Dim('batch', min=3, max=16)
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
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(159, generator=G).to(torch.float16).as_strided((4, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
    ((torch.randn(119, generator=G).to(torch.float16).as_strided((3, 20), (40, 2)).data, torch.randn(80, generator=G).to(torch.float16).reshape((20, 4)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 20, 12)).data, torch.randn(960, generator=G).to(torch.float16).reshape((4, 12, 20)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
