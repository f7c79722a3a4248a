# engines, tvm.bounded on cpu: RAISED build raised EngineError: tvm raised TypeError at load: Binary operators must have the same datatype for both operands. However, R.where(lv26, lv27, lv25) uses datatype T.float16 on the LHS (Type of R.Tensor((), dtype="float16")), and datatype T.float3
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
from torch import Tensor

def reference(x_BSD, lengths_B, qkv_DE, out_DD, up_DH, down_HD, norm_D):
    batch, seq, width = x_BSD.shape
    there_BS = torch.arange(seq, device=x_BSD.device) < lengths_B.unsqueeze(1)
    q, k, v = (F.layer_norm(x_BSD, (width,), norm_D) @ qkv_DE).view(batch, seq, 3, 2, width // 2).unbind(2)
    mask = there_BS[:, None, None, :].expand(batch, 2, seq, seq)
    scores = q.transpose(1, 2) @ k.permute(0, 2, 3, 1) * (width // 2) ** (-0.5)
    weights = F.softmax(scores.masked_fill(~mask, -10000.0), dim=-1)
    h_BSD = x_BSD + (weights @ v.transpose(1, 2)).transpose(1, 2).reshape(batch, seq, width) @ out_DD
    return h_BSD + F.gelu(F.layer_norm(h_BSD, (width,), norm_D) @ up_DH) @ down_HD
example = (torch.zeros([5, 13, 32], dtype=torch.float16), torch.zeros([5], dtype=torch.int64), torch.zeros([32, 96], dtype=torch.float16), torch.zeros([32, 32], dtype=torch.float16), torch.zeros([32, 12], dtype=torch.float16), torch.zeros([12, 32], dtype=torch.float16), torch.zeros([32], dtype=torch.float16))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: seq}, {0: batch}, {}, {}, {}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    import tvm
    from tvm import relax
    from tvm.relax.frontend.torch import from_exported_program
    compiled = tvm.compile(from_exported_program(program), target=tvm.target.Target('llvm'))
    machine = relax.VirtualMachine(compiled, tvm.cpu())

    def call(*tensors):
        found = machine['main'](*[tvm.runtime.from_dlpack(tensor.contiguous()) for tensor in tensors])
        return [torch.from_dlpack(one).clone() for one in found]

    def told():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'library.so'
            compiled.export_library(str(path))
            return {'bytes': path.stat().st_size, 'artifacts': 1}
    return (call, told)
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(2016, generator=G).to(torch.float16).reshape((9, 7, 32)).data, torch.tensor([5, 3, 3, 1, 5, 6, 3, 5, 6], dtype=torch.int64), torch.randn(3072, generator=G).to(torch.float16).reshape((32, 96)).data, torch.randn(1024, generator=G).to(torch.float16).reshape((32, 32)).data, torch.randn(384, generator=G).to(torch.float16).reshape((32, 12)).data, torch.randn(384, generator=G).to(torch.float16).reshape((12, 32)).data, torch.tensor([0.263916015625, -0.51123046875, 0.814453125, 0.9970703125, -0.412353515625, -0.908203125, -1.1044921875, 0.79248046875, 0.280517578125, -1.24609375, 0.2135009765625, 2.453125, 1.8515625, 1.36328125, -0.921875, -1.642578125, -0.2491455078125, 0.08612060546875, -0.3076171875, 0.5283203125, -0.467041015625, -1.3486328125, -0.0474853515625, 0.5478515625, -1.279296875, -0.09906005859375, 0.365478515625, -0.9091796875, -1.3232421875, -0.1217041015625, -1.4404296875, -0.392822265625], dtype=torch.float16), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
