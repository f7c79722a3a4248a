# torch_api, export.dynamic on cpu: RAISED build raised AssertionError: sources must not be empty for symbol s10
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import os, sys
hashed = os.getenv("PYTHONHASHSEED")
os.environ["PYTHONHASHSEED"] = "2"  # the bug shows, or does not, by the order of a set of texts
if hashed != "2":
    os.execv(sys.executable, [sys.executable, *sys.argv])
import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten.set.source_Tensor(x0, x1)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros(6, dtype=torch.float32).as_strided([3, 2], [0, 1], 0))
dynamic_shapes = (({}, {1: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([], dtype=torch.float32).reshape((3, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
