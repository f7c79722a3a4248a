# engines, torchscript.trace on cpu: RAISED build raised RuntimeError: Detected that you are using FX to torch.jit.trace a dynamo-optimized function. This is not supported at the moment.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def reference(x_SD, flag):

    def running(x):
        return x.cumsum(0).contiguous()

    def centred(x):
        return (x - 0.5 * x.mean(-1, keepdim=True)).contiguous()
    return torch.cond(flag, running, centred, (x_SD,))
implementation = torch.jit.trace(reference, (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([], dtype=torch.bool)), check_trace=False)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 8)).data, torch.tensor([False], dtype=torch.bool).reshape(()).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
