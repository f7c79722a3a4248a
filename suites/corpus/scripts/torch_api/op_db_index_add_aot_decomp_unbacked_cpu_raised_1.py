# torch_api, aot_decomp.unbacked on cpu: RAISED IndexError: index is out of bounds for dimension with size 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.index_add(x0, -1, x1, x2)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {1: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([0, 1, 1, 0, 1], dtype=torch.int64), torch.tensor([0.5507453083992004, 0.2703641355037689, 0.6472479701042175, 0.24900221824645996, -0.33539512753486633, 0.45635277032852173, -0.6254658102989197, 0.4538792371749878, -1.37397038936615, 2.8474254608154297], dtype=torch.float32).reshape((2, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
