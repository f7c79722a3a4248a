# engines, inductor.unbacked on cpu: CRASHED SIGFPE in case 0 (case 0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def reference(x_BSD, w_4D, u_4H, b_4):
    start = x_BSD.new_zeros(1, x_BSD.size(0), u_4H.size(1))
    output, hidden, _ = torch.lstm(x_BSD, (start, start), (w_4D, u_4H, b_4, b_4), True, 1, 0.0, False, False, batch_first=True)
    return (output, hidden[0])
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(reference, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'batch', 1: 'seq'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.bfloat16).reshape((0, 3, 16)).data, torch.randn(768, generator=G).to(torch.bfloat16).reshape((48, 16)).data, torch.randn(576, generator=G).to(torch.bfloat16).reshape((48, 12)).data, torch.tensor([-1.9609375, -0.62890625, -0.0291748046875, -0.53125, -0.33203125, 0.0140380859375, 0.8828125, -0.70703125, -2.140625, -0.48046875, -0.107421875, 1.1875, 0.60546875, 0.81640625, -1.0078125, 1.796875, -1.4609375, 0.047119140625, 1.5859375, -0.2119140625, 0.53515625, 0.9765625, 1.0, 0.82421875, 1.328125, 1.28125, 0.455078125, -1.4375, 1.7265625, -0.859375, -0.36328125, 1.015625, -0.703125, -0.1396484375, -0.234375, 1.28125, -0.3828125, 0.87890625, 0.8828125, 0.087890625, -1.265625, 2.109375, 1.2578125, -0.640625, -0.271484375, 0.5625, 0.2431640625, 1.7890625], dtype=torch.bfloat16), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
