# programs, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard (L['args'][0].size()[0] % 2) != 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = torch.poisson((x0 > 0) * 2.0)
    v6_x = v5.clone(memory_format=torch.contiguous_format)
    v6 = torch._higher_order_ops.associative_scan(torch.maximum, v6_x, 0, reverse=True, combine_mode='generic')
    v7 = F.scaled_dot_product_attention(x1, x1, x2, attn_mask=x3)
    v8_x = x0.clone(memory_format=torch.contiguous_format)
    v8 = torch._higher_order_ops.while_loop(lambda i, part: i < x0.shape[0], lambda i, part: (i + 1, part * 0.5 + i), (torch.zeros((), dtype=torch.int64, device=x0.device), v8_x))[1]
    v9 = (x4 == x4).to(torch.int64).cumprod(-1).sum(-1)
    return (v6, v7, v8, v9)
reference = program
example = (torch.zeros([9], dtype=torch.float32), torch.zeros([9, 9, 6, 7], dtype=torch.float64), torch.zeros([9, 9, 6, 3], dtype=torch.float64), torch.zeros([6, 1, 1, 9], dtype=torch.bool).as_strided([9, 1, 1, 6], [1, 9, 9, 9], 0), torch.zeros([9, 6], dtype=torch.int64))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
dynamic_shapes = (({0: a}, {0: a, 1: a, 2: b, 3: b + 1}, {0: a, 1: a, 2: b}, {0: a, 3: b}, {0: a, 1: b}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3, x4):
        v5 = torch.poisson((x0 > 0) * 2.0)
        v6_x = v5.clone(memory_format=torch.contiguous_format)
        return (x0, x1, x2, x3, x4, v6_x)

class Part1(torch.nn.Module):

    def forward(self, x0, x1, x2, x3, x4, v6_x):
        v6 = torch._higher_order_ops.associative_scan(torch.maximum, v6_x, 0, reverse=True, combine_mode='generic')
        v7 = F.scaled_dot_product_attention(x1, x1, x2, attn_mask=x3)
        return (x0, x4, v6, v7)

class Part2(torch.nn.Module):

    def forward(self, x0, x4, v6, v7):
        v8_x = x0.clone(memory_format=torch.contiguous_format)
        v8 = torch._higher_order_ops.while_loop(lambda i, part: i < x0.shape[0], lambda i, part: (i + 1, part * 0.5 + i), (torch.zeros((), dtype=torch.int64, device=x0.device), v8_x))[1]
        return (x4, v6, v7, v8)

class Part3(torch.nn.Module):

    def forward(self, x4, v6, v7, v8):
        v9 = (x4 == x4).to(torch.int64).cumprod(-1).sum(-1)
        return (v6, v7, v8, v9)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, x1, x2, x3, x4] = args
        [x0, x1, x2, x3, x4, v6_x] = self.part_0(x0, x1, x2, x3, x4)
        self.steps()
        [x0, x4, v6, v7] = self.part_1(x0, x1, x2, x3, x4, v6_x)
        self.steps()
        [x4, v6, v7, v8] = self.part_2(x0, x4, v6, v7)
        self.steps()
        result = self.part_3(x4, v6, v7, v8)
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-1.0, 0.0, -2.0, -3.0, 0.0, -1.0, 2.0, 2.0, -2.0, -1.0, -1.0, -2.0, 0.0, -1.0, 0.0, 1.0], dtype=torch.float32), torch.full((1536,), 0.0, dtype=torch.float64).reshape((16, 16, 2, 3)).data, torch.randn(1536, generator=G).to(torch.float64).reshape((16, 16, 2, 3)).data, torch.tensor([True, False, True, False, True, False, False, True, False, False, True, True, False, True, True, True, False, False, False, True, True, False, False, False, False, False, False, True, False, True, True, True], dtype=torch.bool).as_strided((16, 1, 1, 2), (1, 16, 16, 16)).data, torch.tensor([2, 2, 3, 3, 2, 3, 2, 1, 3, 2, 1, 0, 1, 0, 0, 0, 2, 2, 0, 2, 3, 3, 2, 2, 0, 3, 1, 1, 1, 1, 3, 0], dtype=torch.int64).reshape((16, 2)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
