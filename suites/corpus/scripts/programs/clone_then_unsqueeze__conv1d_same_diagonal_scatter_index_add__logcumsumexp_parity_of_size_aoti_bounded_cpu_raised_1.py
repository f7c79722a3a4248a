# programs, aoti.bounded on cpu: RAISED RuntimeError: Mismatch between ints consumed and num_ints, got int_id = 1, num_ints = 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5_c = x0.clone()
    v5 = v5_c.unsqueeze_(0).add_(1)
    v6 = F.conv1d(x0, x1, padding='same', dilation=2)
    v7 = v6.logcumsumexp(2)
    v8 = x0.index_add_(2, x2, x3 * 2)
    v9 = x4.diagonal_scatter(x2)
    v10 = v7 * (v7.size(2) % 2)
    return (v5, v8, v9, v10)
reference = program
example = (torch.zeros([17, 8, 18], dtype=torch.bfloat16), torch.zeros(73, dtype=torch.bfloat16).as_strided([3, 8, 3], [24, 3, 1], 1), torch.zeros(2, dtype=torch.int64).as_strided([1], [2], 0), torch.zeros(136, dtype=torch.bfloat16).as_strided([17, 8, 1], [1, 17, 136], 0), torch.zeros([1, 1], dtype=torch.int64))
a = torch.export.Dim('a', min=3, max=18)
dynamic_shapes = (({0: a, 2: a + 1}, {}, {}, {0: a}, {}),)

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
    if 3 <= args[0].size(0) <= 18:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(1920, generator=G).to(torch.bfloat16).reshape((15, 8, 16)), tensor_from_text('c-mXHf2O_U{-^uDTQ>Zky4S04yRF*(;QfpY4gVYdGcrusZ?S*bzUy|<`#knH)GyrE@ZYO&^M0>F(fx}1pV;@=Pqx2f?`Q93Ut!-+zj^-#J1+ah`)}DZG91_+X$LZ+4M?usH`$tZ|M`8&K=C?TufjKbyMUsM4B__H`!)i_7#bS>Pudr-|CODdUBiC>&7DDY', torch.bfloat16).reshape((3, 8, 3)), torch.tensor([3], dtype=torch.int64), torch.randn(120, generator=G).to(torch.bfloat16).as_strided((15, 8, 1), (1, 15, 120)), torch.tensor([-9223372036854775808], dtype=torch.int64).reshape((1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
