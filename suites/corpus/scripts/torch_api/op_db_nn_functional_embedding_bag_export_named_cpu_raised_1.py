# torch_api, export.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 2) (unhinted: Eq(u0, 2)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4):
    v0 = x1[x4]
    v1 = torch.nn.functional.embedding_bag(v0, x0, offsets=x2, mode='sum', per_sample_weights=x3)
    return parts(v1)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros([5], dtype=torch.int64), torch.zeros([2], dtype=torch.int64), torch.zeros([2], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.0445796251296997, -0.2047063410282135, -0.4076606035232544, -0.8631045818328857], dtype=torch.float32).reshape((2, 2)), torch.tensor([1, 1, 0, 1, 1], dtype=torch.int64), torch.tensor([0, 1], dtype=torch.int64), torch.tensor([-0.08813412487506866, -2.0296318531036377], dtype=torch.float32), torch.tensor([False, False, True, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
