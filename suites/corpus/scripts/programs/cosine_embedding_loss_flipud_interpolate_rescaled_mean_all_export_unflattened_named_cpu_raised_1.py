# programs, export_unflattened.named on cpu: RAISED RuntimeError: Expected input *args[2].shape[1] = 1 to be of the form s58 + 1, where s58 is an integer
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = torch.flipud(x0)
    v5 = F.interpolate(x1, scale_factor=1.5, mode='nearest', recompute_scale_factor=True)
    v6 = F.cosine_embedding_loss(x2, x2, x3 * 2 - 1, margin=0.25, reduction='mean')
    v7 = v4.mean()
    return (v5, v6, v7)
reference = program
example = (torch.zeros([4, 5, 4], dtype=torch.bfloat16), torch.zeros([5, 5, 4, 6], dtype=torch.bfloat16), torch.zeros([5, 19], dtype=torch.float16), torch.zeros(6, dtype=torch.bool).as_strided([5], [1], 1))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b', min=1)
c = torch.export.Dim('c')
dynamic_shapes = (({0: a, 1: a + 1, 2: a}, {0: b, 1: b, 2: a, 3: b + 1}, {0: b, 1: c + 1}, {0: b}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3):
        v4 = torch.flipud(x0)
        v5 = F.interpolate(x1, scale_factor=1.5, mode='nearest', recompute_scale_factor=True)
        return (x2, x3, v4, v5)

class Part1(torch.nn.Module):

    def forward(self, x2, x3, v4, v5):
        v6 = F.cosine_embedding_loss(x2, x2, x3 * 2 - 1, margin=0.25, reduction='mean')
        v7 = v4.mean()
        return (v5, v6, v7)

class Part2(torch.nn.Module):

    def forward(self, v5, v6, v7):
        return (v5, v6, v7)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1, x2, x3] = args
        [x2, x3, v4, v5] = self.part_0(x0, x1, x2, x3)
        self.steps()
        [v5, v6, v7] = self.part_1(x2, x3, v4, v5)
        self.steps()
        result = self.part_2(v5, v6, v7)
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
    ((torch.randn(576, generator=G).to(torch.bfloat16).reshape((8, 9, 8)), torch.tensor([1.296875, -0.61328125, 1.4375, 0.337890625, 1.5234375, -0.58984375, 0.296875, -0.34375, 1.6171875, 0.388671875, 1.1484375, 2.59375, 2.140625, 0.236328125, 2.171875, -0.90234375], dtype=torch.bfloat16).reshape((1, 1, 8, 2)), torch.tensor([0.0], dtype=torch.float16).reshape((1, 1)), torch.tensor([False], dtype=torch.bool), ), {}),
    ((torch.tensor([0.419921875, 0.80859375, -0.2421875, -0.07958984375, -0.8046875, 2.234375, -0.8671875, -0.71484375, -0.8984375, -0.0118408203125, -0.31640625, 0.455078125], dtype=torch.bfloat16).reshape((2, 3, 2)), torch.randn(72, generator=G).to(torch.bfloat16).reshape((3, 3, 2, 4)), torch.tensor([1.376953125, 0.5615234375, 1.583984375, 0.86669921875, -1.5595703125, -0.1470947265625, -0.869140625, -1.1171875, 1.01171875, -0.52880859375, -0.1280517578125, 2.400390625, -0.544921875, -0.2147216796875, -0.7841796875, -0.257568359375, -1.6787109375, -0.40966796875, 0.197509765625, 1.4853515625, 1.1611328125, -0.734375, -0.17578125, -0.5908203125], dtype=torch.float16).reshape((3, 8)), torch.tensor([True, True, True, True, True], dtype=torch.bool).as_strided((3,), (2,)), ), {}),
    ((torch.randn(576, generator=G).to(torch.bfloat16).reshape((8, 9, 8)), torch.tensor([0.361328125, -1.125, 1.15625, 0.30859375, 0.2109375, 0.419921875, -0.322265625, -1.1328125, 0.54296875, 0.1923828125, 0.5859375, -0.83984375, 0.8359375, -1.0703125, -0.93359375, -0.10302734375], dtype=torch.bfloat16).reshape((1, 1, 8, 2)), torch.tensor([0.344970703125, 0.576171875, -2.13671875, -1.1982421875, 0.62939453125, -0.301513671875, 0.0117645263671875, -1.2744140625, -0.47509765625, 0.7822265625, -0.015228271484375, 0.7109375, 0.87646484375, 0.2275390625, 0.6318359375, 0.49365234375], dtype=torch.float16).reshape((1, 16)), torch.tensor([True], dtype=torch.bool), ), {}),
    ((torch.randn(576, generator=G).to(torch.bfloat16).reshape((8, 9, 8)), torch.tensor([1.296875, -0.61328125, 1.4375, 0.337890625, 1.5234375, -0.58984375, 0.296875, -0.34375, 1.6171875, 0.388671875, 1.1484375, 2.59375, 2.140625, 0.236328125, 2.171875, -0.90234375], dtype=torch.bfloat16).reshape((1, 1, 8, 2)), torch.tensor([0.0], dtype=torch.float16).reshape((1, 1)), torch.tensor([False], dtype=torch.bool), ), {}),
    ((torch.tensor([1.640625, 0.294921875], dtype=torch.bfloat16).reshape((1, 2, 1)), torch.randn(252, generator=G).to(torch.bfloat16).reshape((6, 6, 1, 7)), torch.tensor([-0.1995849609375, 0.87451171875, -0.0267486572265625, -0.51513671875, 0.666015625, -0.81787109375, 0.970703125, 1.5859375, -0.262939453125, 1.755859375, -0.8203125, 0.7626953125, 0.17529296875, -2.140625, 0.810546875, -0.051513671875, -1.4931640625, 1.525390625, 0.435791015625, 0.728515625, -0.321533203125, -0.66064453125, 1.4765625, 0.2158203125, -1.28515625, -1.646484375, 0.385498046875, 2.19140625, 0.1767578125, -0.0970458984375, 0.0018434524536132812, 1.0322265625, 2.275390625, 0.277587890625, 0.6083984375, -0.135986328125, -1.01953125, 0.5048828125, -0.72802734375, -1.1943359375, 0.880859375, -2.490234375, 1.05859375, 0.38232421875, -2.4375, -1.2822265625, -2.01171875, -0.685546875], dtype=torch.float16).reshape((6, 8)), torch.tensor([True, True, True, True, True, True], dtype=torch.bool), ), {}),
    ((torch.tensor([250.0, -74.5], dtype=torch.bfloat16).reshape((1, 2, 1)), torch.randn(810, generator=G).to(torch.bfloat16).reshape((9, 9, 1, 10)), torch.tensor([-0.859375, 0.72900390625, -0.467529296875, 0.54931640625, -1.9990234375, -1.765625, 1.2119140625, -0.327880859375, 0.5390625, -2.3359375, 0.61376953125, 1.685546875, -0.4287109375, 0.67236328125, -0.9228515625, 1.9912109375, -0.9765625, -0.1639404296875, -0.71875, -0.1575927734375, -0.369140625, -1.111328125, -1.318359375, -0.56689453125, -0.71728515625, -0.298583984375, 1.0693359375, 1.626953125, 0.86962890625, -0.368408203125, 1.5576171875, -1.7890625, 1.40234375, 1.4853515625, -0.306640625, 0.72119140625, -0.82568359375, -0.98486328125, -1.9130859375, -1.4423828125, -0.97412109375, -1.830078125, -0.77490234375, -1.177734375, 1.025390625], dtype=torch.float16).reshape((9, 5)), torch.tensor([False, False, False, False, False, False, False, False, False], dtype=torch.bool), ), {}),
    ((torch.randn(576, generator=G).to(torch.bfloat16).reshape((8, 9, 8)), torch.tensor([0.06787109375, 0.455078125, -0.87890625, 0.21875, 1.2109375, -2.046875, -0.76953125, -1.375, -0.294921875, -0.51171875, -0.18359375, 0.6015625, 1.6171875, -1.546875, 0.17578125, 0.53125], dtype=torch.bfloat16).reshape((1, 1, 8, 2)), torch.tensor([0.75048828125, 0.80908203125, -1.2783203125, -1.3359375, -0.31591796875, 0.265380859375], dtype=torch.float16).reshape((1, 6)), torch.tensor([True], dtype=torch.bool), ), {}),
    ((torch.randn(576, generator=G).to(torch.bfloat16).reshape((8, 9, 8)), torch.tensor([0.361328125, -1.125, 1.15625, 0.30859375, 0.2109375, 0.419921875, -0.322265625, -1.1328125, 0.54296875, 0.1923828125, 0.5859375, -0.83984375, 0.8359375, -1.0703125, -0.93359375, -0.10302734375], dtype=torch.bfloat16).reshape((1, 1, 8, 2)), torch.tensor([0.344970703125, 0.576171875, -2.13671875, -1.1982421875, 0.62939453125, -0.301513671875, 0.0117645263671875, -1.2744140625, -0.47509765625, 0.7822265625, -0.015228271484375, 0.7109375, 0.87646484375, 0.2275390625, 0.6318359375, 0.49365234375], dtype=torch.float16).reshape((1, 16)), torch.tensor([True], dtype=torch.bool), ), {}),
    ((torch.randn(576, generator=G).to(torch.bfloat16).reshape((8, 9, 8)), torch.tensor([0.361328125, -1.125, 1.15625, 0.30859375, 0.2109375, 0.419921875, -0.322265625, -1.1328125, 0.54296875, 0.1923828125, 0.5859375, -0.83984375, 0.8359375, -1.0703125, -0.93359375, -0.10302734375], dtype=torch.bfloat16).reshape((1, 1, 8, 2)), torch.tensor([0.344970703125, 0.576171875, -2.13671875, -1.1982421875, 0.62939453125, -0.301513671875, 0.0117645263671875, -1.2744140625, -0.47509765625, 0.7822265625, -0.015228271484375, 0.7109375, 0.87646484375, 0.2275390625, 0.6318359375, 0.49365234375], dtype=torch.float16).reshape((1, 16)), torch.tensor([True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
