# torch_api, draft_export.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[1] == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.Conv1d(4, 5, 3, padding='same').train()

def program(x0, x1, x2):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([4, 1], dtype=torch.float32), torch.zeros([5, 4, 3], dtype=torch.float32), torch.zeros([5], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({1: a}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((4, 2)), torch.randn(60, generator=G).to(torch.float32).reshape((5, 4, 3)), torch.tensor([0.18942345678806305, -0.21902281045913696, 2.057591199874878, -0.03542188182473183, 0.06271883100271225], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
