# programs, export_again.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.cond(x0, lambda part: part.new_zeros(part.shape[0] + 3, *part.shape[1:]), lambda part: part[:part.shape[0] // 2].sin(), (x1,))
    v3 = torch.tril_indices(v2.shape[0], v2.shape[0], device=v2.device)
    return (v3,)
reference = program
example = (torch.zeros([], dtype=torch.bool), torch.zeros([2, 2], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([True], dtype=torch.bool).reshape(()), torch.tensor([0.20723548531532288, 0.2698686420917511, 0.5507453083992004, 0.2703641355037689], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
