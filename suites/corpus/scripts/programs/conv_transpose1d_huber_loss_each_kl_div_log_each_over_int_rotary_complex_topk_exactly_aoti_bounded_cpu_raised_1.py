# programs, aoti.bounded on cpu: RAISED RuntimeError: input_handles[0]: dim value is too small at 0, expected it to be >= 11, but got: 5
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, n4, x5):
    v6 = F.conv_transpose1d(x0, x1, stride=2, padding=0)
    v7_pairs = torch.view_as_complex(x2.unflatten(-1, (-1, 2)).contiguous())
    v7 = torch.view_as_real(v7_pairs * x3[:, None]).flatten(3)
    v8 = F.huber_loss(x1, x1, delta=1.0, reduction='none')
    v9 = v6 / (n4 + 1)
    v10 = F.kl_div(F.log_softmax(x5, 1), F.log_softmax(x5, 1), log_target=True, reduction='none')
    v11 = torch.topk(v9, 2, 0).values
    return (v7, v8, v10, v11)
reference = program
example = (torch.zeros(1331, dtype=torch.float64).as_strided([11, 11, 11], [0, 11, 1], 0), torch.zeros(726, dtype=torch.float64).as_strided([11, 11, 3], [66, 6, 2], 0), torch.zeros(72, dtype=torch.float32).as_strided([3, 12, 1, 2], [2, 6, 2, 1], 0), torch.zeros(12, dtype=torch.complex64).as_strided([12, 1], [0, 1], 0), 4, torch.zeros([5, 11], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
dynamic_shapes = (({0: a, 1: a, 2: a}, {0: a, 1: a}, {1: b}, {0: b}, None, {0: c, 1: a}),)

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
    if 3 <= args[0].size(0) <= 16 and 3 <= args[2].size(1) <= 16 and (3 <= args[5].size(0) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float64).as_strided((5, 5, 5), (0, 5, 1)), torch.randn(149, generator=G).to(torch.float64).as_strided((5, 5, 3), (30, 6, 2)), torch.tensor([0.22254419326782227, -0.28770893812179565, 1.1452237367630005, 1.175500750541687, -1.0533475875854492, 0.891483724117279, -0.2771262228488922, 0.2708943784236908, 0.5132083892822266, -0.1813204437494278, 2.4052016735076904, -0.5565393567085266, 0.16856952011585236, 0.9066391587257385, 0.9273746609687805, -1.0727412700653076, -0.027544474229216576, 1.0590596199035645], dtype=torch.float32).as_strided((3, 3, 1, 2), (2, 6, 2, 1)), torch.tensor([(-2+0j)], dtype=torch.complex64).as_strided((3, 1), (0, 1)), 4, torch.tensor([-1.0, 0.0, 0.0, 0.0, 3.0, 0.0, 2.0, -1.0, -3.0, 2.0, -3.0, -3.0, 2.0, -3.0, 0.0, 3.0, 1.0, 1.0, 3.0, 2.0, 1.0, 3.0, 3.0, 0.0, 0.0], dtype=torch.float32).reshape((5, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
