# torch_api, export.dynamic on cpu: RAISED build raised UnsupportedOperatorException: aten._compute_linear_combination.default
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x1[x2]
    v1 = torch.ops.aten._compute_linear_combination.default(x0, v0)
    return parts(v1)
reference = program
example = (torch.zeros(208, dtype=torch.float64).as_strided([8, 13, 2], [2, 16, 1], 0), torch.zeros([9, 9, 5], dtype=torch.float64), torch.zeros([9], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(352, generator=G).to(torch.float64).as_strided((8, 2, 22), (22, 176, 1)), torch.randn(1326, generator=G).to(torch.float64).reshape((6, 13, 17)), torch.tensor([False, True, True, False, True, False], dtype=torch.bool), ), {}),
    ((torch.randn(352, generator=G).to(torch.float64).as_strided((8, 2, 22), (22, 176, 1)), torch.randn(1326, generator=G).to(torch.float64).reshape((6, 13, 17)), torch.tensor([False, True, True, False, True, False], dtype=torch.bool), ), {}),
    ((torch.randn(1500, generator=G).to(torch.float64).as_strided((5, 20, 15), (1, 5, 100)), torch.randn(1040, generator=G).to(torch.float64).reshape((8, 10, 13)), torch.tensor([True, False, True, True, False, False, True, True], dtype=torch.bool), ), {}),
    ((torch.full((2992,), 0.0, dtype=torch.float64).as_strided((8, 17, 22), (22, 176, 1)), torch.randn(1326, generator=G).to(torch.float64).reshape((6, 13, 17)), torch.tensor([False, True, True, False, False, True], dtype=torch.bool), ), {}),
    ((torch.randn(396, generator=G).to(torch.float64).as_strided((9, 2, 22), (22, 198, 1)), torch.randn(1326, generator=G).to(torch.float64).reshape((6, 13, 17)), torch.tensor([True, False, True, False, False, True], dtype=torch.bool), ), {}),
    ((torch.randn(1500, generator=G).to(torch.float64).as_strided((5, 20, 15), (1, 5, 100)), torch.randn(1040, generator=G).to(torch.float64).reshape((8, 10, 13)), torch.tensor([True, False, True, True, False, False, True, True], dtype=torch.bool), ), {}),
    ((torch.randn(396, generator=G).to(torch.float64).as_strided((9, 2, 22), (22, 198, 1)), torch.randn(1326, generator=G).to(torch.float64).reshape((6, 13, 17)), torch.tensor([True, False, True, False, False, True], dtype=torch.bool), ), {}),
    ((torch.full((352,), 0.0, dtype=torch.float64).as_strided((8, 2, 22), (22, 176, 1)), torch.randn(2262, generator=G).to(torch.float64).reshape((6, 13, 29)), torch.tensor([True, True, False, False, True, False], dtype=torch.bool), ), {}),
    ((torch.randn(352, generator=G).to(torch.float64).as_strided((8, 2, 22), (22, 176, 1)), torch.randn(1014, generator=G).to(torch.float64).reshape((6, 13, 13)), torch.tensor([False, True, False, True, True, False], dtype=torch.bool), ), {}),
    ((torch.randn(396, generator=G).to(torch.float64).as_strided((9, 2, 22), (22, 198, 1)), torch.randn(1326, generator=G).to(torch.float64).reshape((6, 13, 17)), torch.tensor([True, False, True, False, False, True], dtype=torch.bool), ), {}),
    ((torch.randn(352, generator=G).to(torch.float64).as_strided((8, 2, 22), (22, 176, 1)), torch.randn(1326, generator=G).to(torch.float64).reshape((6, 13, 17)), torch.tensor([False, True, True, False, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
