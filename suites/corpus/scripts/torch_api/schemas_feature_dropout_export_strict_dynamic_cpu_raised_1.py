# torch_api, export_strict.dynamic on cpu: RAISED build raised TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: aten::feature_dropout() Expected a value of type \'float\' for argument \'p\' but instead found type \'SymFloat\'.\nPosition: 1\nValue: zuf0\nDeclaration: aten::fe
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x1.item()
    v1 = torch.ops.aten.feature_dropout.default(x0, v0, True)
    return parts(v1)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([], dtype=torch.float64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([0.5], dtype=torch.float64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
