# engines, torchscript.trace on cpu: RAISED build raised TypeError: cond must be a bool, but got a Tensor. For tensor conditions, use torch._check_tensor_all() to assert that all elements are true.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def reference(x_BD, length):
    n = int(length.item())
    torch._check(n >= 0)
    torch._check(n <= x_BD.size(0))
    prefix = x_BD[:n]
    return (prefix * 3.0, prefix.sum(0))
implementation = torch.jit.trace(reference, (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([], dtype=torch.int64)), check_trace=False)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 8)).data, torch.tensor([0], dtype=torch.int64).reshape(()).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
