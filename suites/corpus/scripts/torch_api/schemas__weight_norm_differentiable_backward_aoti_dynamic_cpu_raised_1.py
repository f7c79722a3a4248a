# torch_api, aoti.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4):
    v0 = x1[x4]
    v1 = torch.ops.aten._weight_norm_differentiable_backward.default(x0, v0, x2, x3, 0)
    return parts(v1)
reference = program
example = (torch.zeros([2], dtype=torch.float64), torch.zeros([5], dtype=torch.float64), torch.zeros([2], dtype=torch.float64), torch.zeros([2], dtype=torch.float64), torch.zeros(10, dtype=torch.bool).as_strided([5], [2], 0))
dynamic_shapes = None

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
    ((torch.tensor([-0.8015726804733276, 1.0000000150474662e+30], dtype=torch.float64), torch.tensor([-1.118370771408081, 2.0958282947540283, -0.25580477714538574, -0.35089290142059326, -1.1158994436264038], dtype=torch.float64), torch.tensor([1.2650187015533447, -0.0], dtype=torch.float64), torch.tensor([-0.5410208702087402, -1.673263430595398], dtype=torch.float64), torch.tensor([False, False, False, False, False, False, True, True, True], dtype=torch.bool).as_strided((5,), (2,)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
