# torch_api, aoti.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    v1 = torch.ops.aten._aminmax.default(v0)
    return parts(v1)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, None))(x0, x1)
reference = program
example = (torch.zeros([17, 5], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427], dtype=torch.float32).reshape((1, 5)), torch.tensor([True, False, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
