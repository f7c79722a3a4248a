# programs, aot_decomp.mark_dynamic on cpu: RAISED ConstraintViolationError: Constraints violated (L['x1'].size()[0])! - You marked L['x1'].size()[0] as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If yo
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.cond(x0, lambda part: part[:2] * 3, lambda part: part[1:] + 1, (x1,))
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {1: {0: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([True], dtype=torch.bool).reshape(()), torch.tensor([0.20723548531532288, 0.2698686420917511, 0.5507453083992004, 0.2703641355037689, 0.6472479701042175, 0.24900221824645996, -0.33539512753486633, 0.45635277032852173], dtype=torch.float32).reshape((2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
