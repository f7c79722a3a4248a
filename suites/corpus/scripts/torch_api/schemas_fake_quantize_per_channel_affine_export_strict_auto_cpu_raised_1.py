# torch_api, export_strict.auto on cpu: RAISED build raised TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: aten::fake_quantize_per_channel_affine() Expected a value of type 'int' for argument 'quant_max' but instead found type 'FakeTensor'.\nPosition: 5\nValue: FakeTenso
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = torch.ops.aten.fake_quantize_per_channel_affine.default(x0, x1, x2, 1, 1, x3)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([-1.0845223665237427, -1.3985954523086548], dtype=torch.float32), torch.tensor([0.40334683656692505, 0.8380263447761536], dtype=torch.float32), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
