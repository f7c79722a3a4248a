# programs, aoti.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(4, (a)) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

@torch.compiler.nested_compile_region
def region(part, number):
    return (part.sin() * number, part.shape[0] * 2 + number)

def program(x0, x1, x2):
    v3_buffer = torch.empty_like(x0.cumsum(-4), memory_format=torch.contiguous_format)
    v3 = torch.cumsum(x0, -4, out=v3_buffer)
    v4 = F.softplus(v3)
    v5 = v4[x1]
    v6 = v3.gather(-2, v3.topk(min(4, v3.shape[-2]), dim=-2, largest=True).indices)
    v7_y, v7_n = region(v4, 3)
    v7_z, _ = region(v7_y, v7_n)
    v7 = v7_z + torch.full((v7_n,), 1.0, device=v4.device).sum()
    v8 = F.dropout(v3, 0.5, training=False)
    v9 = x2 / max(x2.shape[0], 1)
    return (v5, v6, v7, v8, v9)
reference = program
example = (torch.zeros(1728, dtype=torch.float32).as_strided([6, 8, 6, 6], [288, 1, 48, 8], 0).data, torch.zeros([1], dtype=torch.int64), torch.zeros([6, 3, 6], dtype=torch.float64))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 2: a, 3: a}, {}, {0: a, 1: b, 2: a}),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(216, generator=G).to(torch.float32).as_strided((3, 8, 3, 3), (72, 1, 24, 8)).data, torch.tensor([2], dtype=torch.int64), torch.tensor([0.2755018174648285, 0.44316381216049194, 1.5106228590011597, 0.31297093629837036, 0.2409602850675583, 0.4158497154712677, -2.1412253379821777, -0.8971817493438721, -0.6030181050300598, 0.002382658887654543, -1.3374742269515991, 0.1641674041748047, -1.0401611328125, -0.5650281310081482, 0.9972818493843079, 1.1559393405914307, -0.330020010471344, -0.44185715913772583, -0.8843717575073242, -0.15784990787506104, 2.0171260833740234, 0.49780014157295227, -0.9894928336143494, -0.6226881146430969, 0.07364612072706223, -0.5677729845046997, 0.6456732153892517], dtype=torch.float64).reshape((3, 3, 3)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
