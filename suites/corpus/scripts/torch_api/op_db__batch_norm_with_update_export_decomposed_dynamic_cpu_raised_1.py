# torch_api, export_decomposed.dynamic on cpu: RAISED build raised RuntimeError: Overloaded torch operator invoked from Python failed to match any schema: aten::_batch_norm_with_update() Expected a value of type 'float' for argument 'momentum' but instead found type 'FakeTensor'.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5):
    v0 = torch.ops.aten._batch_norm_with_update(x0, x1, x2, x3, x4, x5, -1.0)
    return parts(v0)
reference = program
example = (torch.zeros([2, 1], dtype=torch.float32), torch.zeros([1], dtype=torch.float32), torch.zeros([1], dtype=torch.float32), torch.zeros([1], dtype=torch.float32), torch.zeros([1], dtype=torch.float32), torch.zeros([], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1)), torch.tensor([-2.1787893772125244], dtype=torch.float32), torch.tensor([0.5684312582015991], dtype=torch.float32), torch.tensor([-1.0845223665237427], dtype=torch.float32), torch.tensor([-1.3985954523086548], dtype=torch.float32), torch.tensor([0.5], dtype=torch.float32).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
