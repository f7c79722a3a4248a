# torch_api, export.dynamic on cpu: RAISED build raised RuntimeError: TensorIterator does not support symbolic shapes; please implement this operator in torch/_refs using the elementwise or reduction helpers (look at backtrace to find out what operator this is)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten.softshrink_backward.default(x0, x1, 1.5)
    return parts(v0)
reference = program
example = (torch.zeros(12, dtype=torch.float32).as_strided([4, 3], [1, 4], 0), torch.zeros(24, dtype=torch.float32).as_strided([4, 3], [6, 2], 0))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(108, generator=G).to(torch.float32).as_strided((9, 12), (1, 9)), torch.randn(215, generator=G).to(torch.float32).as_strided((9, 12), (24, 2)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4)), torch.tensor([], dtype=torch.float32).reshape((0, 4)), ), {}),
    ((torch.randn(234, generator=G).to(torch.float32).as_strided((9, 26), (1, 9)), torch.randn(234, generator=G).to(torch.float32).reshape((9, 26)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4)), torch.tensor([], dtype=torch.float32).reshape((0, 4)), ), {}),
    ((torch.randn(234, generator=G).to(torch.float32).as_strided((9, 26), (1, 9)), torch.randn(234, generator=G).to(torch.float32).reshape((9, 26)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4)), torch.tensor([], dtype=torch.float32).reshape((0, 4)), ), {}),
    ((torch.full((81,), 0.0, dtype=torch.float32).as_strided((9, 9), (1, 9)), torch.randn(161, generator=G).to(torch.float32).as_strided((9, 9), (18, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
