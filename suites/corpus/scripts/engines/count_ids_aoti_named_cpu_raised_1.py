# engines, aoti.named on cpu: RAISED RuntimeError: Mismatch between ints consumed and num_ints, got int_id = 1, num_ints = 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def reference(ids_B, weight_B):
    counts_E = torch.bincount(ids_B, minlength=4)
    total_E = torch.zeros(counts_E.size(0), device=ids_B.device, dtype=weight_B.dtype)
    return (counts_E, total_E.index_add(0, ids_B, weight_B))
example = (torch.zeros([5], dtype=torch.int64), torch.zeros([5], dtype=torch.bfloat16))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {0: batch}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)

calls = [
    ((torch.tensor([3, 1, 14, 12, 0, 12, 2], dtype=torch.int64), torch.tensor([0.181640625, 0.267578125, -0.123046875, 0.10546875, 0.421875, -0.69921875, -0.90625], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([0, 0, 0, 0, 0, 0, 0], dtype=torch.int64), torch.tensor([1.0859375, 0.80078125, 1.2421875, 0.75, -1.359375, -0.1640625, 0.76171875], dtype=torch.bfloat16), ), {}),
    ((torch.tensor([0, 0], dtype=torch.int64), torch.tensor([1.171875, -0.76171875], dtype=torch.bfloat16), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
