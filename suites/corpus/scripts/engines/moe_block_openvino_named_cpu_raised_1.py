# engines, openvino.named on cpu: RAISED build raised EngineError: openvino raised OpConversionFailure at load: Exception happened during conversion of operation index_add/aten.index_add.default with schema NONE
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
example = (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([8, 4], dtype=torch.float32), torch.zeros([4, 8, 12], dtype=torch.float32), torch.zeros([4, 12, 8], dtype=torch.float32))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {}, {}, {}),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 8)).data, torch.tensor([-0.3899191617965698, -1.898451805114746, -0.2695041000843048, -0.29401904344558716, -1.6915143728256226, -1.3131028413772583, -0.1872437298297882, -1.6748402118682861, 2.41229248046875, -0.987453043460846, -0.4804571568965912, -0.30506816506385803, 1.115944504737854, 1.2688647508621216, -1.0141388177871704, -0.29019051790237427, -0.3321780860424042, -1.5441237688064575, -2.242459297180176, -0.31517529487609863, -0.8425044417381287, 1.441285490989685, -1.505974531173706, 1.1919037103652954, -0.6525534987449646, 0.3823927044868469, 1.8360320329666138, -0.6491363048553467, 1.3192919492721558, 0.71452796459198, -0.252672016620636, 0.13941076397895813], dtype=torch.float32).reshape((8, 4)).data, torch.randn(384, generator=G).to(torch.float32).reshape((4, 8, 12)).data, torch.randn(384, generator=G).to(torch.float32).reshape((4, 12, 8)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
