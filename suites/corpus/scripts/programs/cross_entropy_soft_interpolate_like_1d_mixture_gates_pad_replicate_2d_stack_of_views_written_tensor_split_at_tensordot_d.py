# programs, aoti.bounded on cpu: RAISED RuntimeError: input_handles[0]: unmatched dim value at 1, expected: 10, but got: 9
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = F.cross_entropy(x0, x1.softmax(1), reduction='mean')
    v7 = F.interpolate(x2, size=x3.shape[2], mode='linear')
    v8 = F.pad(x3, (1, 1, 3, 1), mode='replicate')
    v9 = torch.tensordot(v8, x4, dims=([0], [1]))
    v10, v11 = x0.tensor_split((1,), 0)
    v12_s = torch.stack((x1, x1))
    for v12_part in v12_s.unbind(0):
        v12_part.add_(1)
    v12 = v12_s
    v13_scores = (v10 @ x5.T).float().softmax(dim=-1)
    v13 = torch.where(v13_scores < v13_scores.amax(-1, keepdim=True), 0.0, v13_scores).to(v10.dtype)
    v14 = v7.topk(min(2, v7.shape[0]), dim=0, largest=True).values
    return (v6, v9, v11, v12, v13, v14)
reference = program
example = (torch.zeros([4, 10], dtype=torch.float32), torch.zeros(40, dtype=torch.float32).as_strided([4, 10], [0, 1], 0), torch.zeros([10, 14, 13], dtype=torch.bfloat16), torch.zeros([10, 14, 2], dtype=torch.bfloat16), torch.zeros([4, 10], dtype=torch.bfloat16), torch.zeros(40, dtype=torch.float32).as_strided([4, 10], [1, 4], 0))
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
dynamic_shapes = (({1: a}, {1: a}, {0: a, 1: b + 1, 2: b}, {0: a, 1: b + 1}, {0: c, 1: a}, {0: c, 1: a}),)

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
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(1) <= 16 and 3 <= (args[2].size(1) - 1) // 1 <= 16 and (3 <= args[4].size(0) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([float("inf"), 0.3167841136455536, float("nan"), -1.017428994178772, -0.19197973608970642, float("-inf"), -0.32230639457702637, 0.46962735056877136, 0.27126169204711914, 1.380070447921753, -1.1663779020309448, -0.622825562953949, 1.0000000150474662e+30, -0.5976169109344482, -0.5974153280258179, 0.026971759274601936, 0.066590815782547, -0.03755698353052139, float("inf"), float("-inf"), 1.0000000150474662e+30, -0.0, -0.35388028621673584, 1.3150476217269897, 0.8942074775695801, 1.0283174514770508, -0.03110264427959919, 0.9760540723800659, 0.2803976535797119, -0.7016292214393616, 1.6756927967071533, -0.6964883208274841, 0.6016048789024353, 0.051881588995456696, float("inf"), -0.0], dtype=torch.float32).reshape((4, 9)), torch.tensor([1.0000000150474662e+30, -0.7622917294502258, -0.3204893469810486, 1.0000000150474662e+30, 9.99994610111476e-41, 1.3632391691207886, -0.26360082626342773, 9.99994610111476e-41, 3.578261375427246], dtype=torch.float32).as_strided((4, 9), (0, 1)), torch.randn(108, generator=G).to(torch.bfloat16).reshape((9, 4, 3)), torch.randn(72, generator=G).to(torch.bfloat16).reshape((9, 4, 2)), torch.randn(72, generator=G).to(torch.bfloat16).reshape((8, 9)), torch.randn(72, generator=G).to(torch.float32).as_strided((8, 9), (1, 8)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
