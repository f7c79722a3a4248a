# programs, inductor_triton.dynamic on interpreted: RAISED RuntimeError: unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.mm(x0, x1)
    v3 = v2.index_put((torch.arange(v2.shape[0], device=v2.device),), v2)
    return (v3,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([(1.5409960746765137-1.0845223665237427j), (-0.293428897857666-1.3985954523086548j), (-2.1787893772125244+0.40334683656692505j), (0.5684312582015991+0.8380263447761536j)], dtype=torch.complex64).reshape((2, 2)), torch.tensor([(-0.7192575931549072-0.5966353416442871j), (-0.40334352850914+0.18203648924827576j)], dtype=torch.complex64).reshape((2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
