# programs, export.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0], …)! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.one_hot(x1, x0.shape[0])
    v4 = torch.eye(x0.shape[0], device=x0.device)
    v5_n = x2.sum().item()
    torch._check(v5_n >= 0)
    torch._check(v5_n <= v4.shape[0])
    v5 = (v4 * x2.reshape(-1, *[1] * (v4.dim() - 1))).sum(0) / max(v5_n, 1)
    return (v3, v5)
reference = program
example = (torch.zeros([10], dtype=torch.complex64), torch.zeros([1], dtype=torch.int64), torch.zeros([10], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([(1.5409960746765137-0.293428897857666j)], dtype=torch.complex64), torch.tensor([0], dtype=torch.int64), torch.tensor([False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
