# programs, aoti.dynamic on cpu: WRONG_DTYPE [2] dtype int64 where eager gives uint8
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def program(x0, x1, x2, x3):
    v4_total = (x0.unsqueeze(1) + x1).flatten()
    v4_best = v4_total.topk(2).indices
    v4_beam, v4_token = (v4_best // x1.shape[1], v4_best % x1.shape[1])
    v4 = v4_total[v4_beam * x1.shape[1] + v4_token]
    v5 = x1.signbit()
    v6 = torch.bmm(x2, x3)
    return (v4, v5, v6)
reference = program
example = (torch.zeros([17], dtype=torch.bfloat16), torch.zeros([17, 13], dtype=torch.bfloat16), torch.zeros(2312, dtype=torch.uint8).as_strided([17, 8, 17], [0, 17, 1], 0), torch.zeros([17, 17, 1], dtype=torch.uint8))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}),)

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

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.bfloat16), torch.full((416,), 0.0, dtype=torch.bfloat16).reshape((26, 16)), tensor_from_text('c-jriw*de!48t(FsQCYflZ_a7pau7J7`R|-)}er!<5J}$U<nu1Sp9oAt=ms>_(y4l2RI)AU;', torch.uint8).as_strided((26, 3, 26), (0, 26, 1)), tensor_from_text('c-kG3$pL^c2n4wo`fu2YFQbt?nU=3-xw~?%WaHCrXFfbzv0Ikw-Xl#`Rr{T;d!x&xti14Iq)O@L9lkbP9=BH=_kISxb~>+a%d>4mz>NC<Z{S39S87|ssHN1*Yb~tin5vlC-5cxJ@iH(b&eQu8g;L0^EovrAF`2Plol|`?dnSLg8m?TZIo==vdPZiqY1X>Lx!=A+U?u_AKZke6_V@)s#c-NQ+Z`Uavj{_SJZr|6Mr}m)7Q6<53Y!U*%R)Hd2xp3Ekp(#nNhBhQ6KS76vm`4~QiKH}yB16xYWDVV_MC_14L`q@FpFqX@K7#=W?jQUzF~_w;%h7zV`R$+0ivYd2Iy^oXCO9bMRj+)9a<r$v!y&`(i<vK7eDdA)BP%@X@#>P$n+?BrLL#U@0a?P3#c%AqG|m7f6@L_^!cg>3f7Mm>JRvw3>y', torch.uint8).reshape((26, 26, 1)), ), {}),
]

def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())

for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
