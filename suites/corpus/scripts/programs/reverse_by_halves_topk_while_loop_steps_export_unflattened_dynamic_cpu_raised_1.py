# programs, export_unflattened.dynamic on cpu: RAISED AssertionError: Guard failed: (args_0.size()[0] + -1 * (args_0.size()[0] // 2)) // 2 == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):

    def v3_halves(part):
        middle = part.shape[0] // 2
        if part.shape[0] <= 1:
            return part
        return torch.cat((v3_halves(part[middle:]), v3_halves(part[:middle])))
    v3 = v3_halves(x0) * 1
    v4 = x1.topk(min(3, x1.shape[-1]), dim=-1, largest=True).values
    v5_x = x0.clone(memory_format=torch.contiguous_format)
    _, v5_y = torch._higher_order_ops.while_loop(lambda i, part: i < x2, lambda i, part: (i + 1, part * 0.5 + 1), (torch.zeros((), dtype=torch.int64, device=x0.device), v5_x))
    v5 = v5_y
    return (v3, v4, v5)
reference = program
example = (torch.zeros([6, 7, 1], dtype=torch.float32), torch.zeros(484, dtype=torch.float32).as_strided([22, 22], [1, 22], 0), torch.zeros([], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2):

        def v3_halves(part):
            middle = part.shape[0] // 2
            if part.shape[0] <= 1:
                return part
            return torch.cat((v3_halves(part[middle:]), v3_halves(part[:middle])))
        v3 = v3_halves(x0) * 1
        return (x0, x1, x2, v3)

class Part1(torch.nn.Module):

    def forward(self, x0, x1, x2, v3):
        v4 = x1.topk(min(3, x1.shape[-1]), dim=-1, largest=True).values
        v5_x = x0.clone(memory_format=torch.contiguous_format)
        return (x0, x2, v3, v4, v5_x)

class Part2(torch.nn.Module):

    def forward(self, x0, x2, v3, v4, v5_x):
        _, v5_y = torch._higher_order_ops.while_loop(lambda i, part: i < x2, lambda i, part: (i + 1, part * 0.5 + 1), (torch.zeros((), dtype=torch.int64, device=x0.device), v5_x))
        v5 = v5_y
        return (v3, v4, v5)

class Part3(torch.nn.Module):

    def forward(self, v3, v4, v5):
        return (v3, v4, v5)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, x1, x2] = args
        [x0, x1, x2, v3] = self.part_0(x0, x1, x2)
        self.steps()
        [x0, x2, v3, v4, v5_x] = self.part_1(x0, x1, x2, v3)
        self.steps()
        [v3, v4, v5] = self.part_2(x0, x2, v3, v4, v5_x)
        self.steps()
        result = self.part_3(v3, v4, v5)
        self.steps()
        return result
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
guards = getattr(exported.module(), '_guards_fn', None)
unflattened = torch.export.unflatten(exported)
submodules = sum((name.startswith('part_') for name, _ in unflattened.named_children()))

def implementation(*args):
    if guards is not None:
        guards(*args)
    before = int(unflattened.steps.taken)
    result = unflattened(*args)
    assert int(unflattened.steps.taken) - before == submodules, 'a submodule was not called once'
    return result

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-j;83EW%MuV)*Xc4D7nN7epQpF9f>i7_%HpIoy4_l&dlSx(CPXKZlXW1!!&-z_bBKS)mcR+;tI>l5vJFIL$zFdV1{iNzd>*uUFH$evBM+5UdaEL)H{3=9qbPp6!=FImcM&*Qpd@0C-IaP^Bn3fVh&c<fgX>9hx_`~7`~-GVf3JDxNqJ6Unr{o?GA_S0tEvTIr&VF%LFZxp)k6VNOMpyEw(RtKh}%(VY({LF5%>(Bil{dY3L?D;BYfXu3AE}UZTWv8(Jn%MRIAiZ}R_SyM+EwWo#_hcVP{w_PyevmmFi=y`*aG7Gy%EbzIm-s7Bu%7HgRrYyd><$1R7j>o', torch.float32).reshape((8, 9, 1)), torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float32).as_strided((2, 2), (1, 2)), torch.tensor([0], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
