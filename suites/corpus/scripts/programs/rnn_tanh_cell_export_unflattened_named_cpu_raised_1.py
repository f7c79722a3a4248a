# programs, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it w
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3, x4):
    v5 = torch.rnn_tanh_cell(x0, x1, x2, x3, x4, x4)
    return (v5,)
reference = program
example = (torch.zeros([10, 9], dtype=torch.float32), torch.zeros([10, 4], dtype=torch.float32), torch.zeros([4, 9], dtype=torch.float32), torch.zeros([4, 4], dtype=torch.float32), torch.zeros([4], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a + 1, 1: a}, {0: a + 1}, {1: a}, {}, {}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3, x4):
        v5 = torch.rnn_tanh_cell(x0, x1, x2, x3, x4, x4)
        return (v5,)

class Part1(torch.nn.Module):

    def forward(self, v5):
        return (v5,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()

    def forward(self, *args):
        [x0, x1, x2, x3, x4] = args
        [v5] = self.part_0(x0, x1, x2, x3, x4)
        self.steps()
        result = self.part_1(v5)
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

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 0)), torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((1, 4)), torch.tensor([], dtype=torch.float32).reshape((4, 0)), torch.tensor([-0.35612836480140686, 0.4372227191925049, 0.4913049638271332, -0.20410172641277313, -0.08853142708539963, 0.5238832831382751, -0.6658713221549988, 0.8503773808479309, -1.04375159740448, -1.3453052043914795, 0.7853556275367737, 0.9928374886512756, -0.193183034658432, -0.30896252393722534, 0.5025728344917297, -0.8594456315040588], dtype=torch.float32).reshape((4, 4)), torch.tensor([-0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
