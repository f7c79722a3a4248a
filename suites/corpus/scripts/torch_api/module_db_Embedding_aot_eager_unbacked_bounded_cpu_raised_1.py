# torch_api, aot_eager.unbacked+bounded on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(3*u0 + 3*Max(1, u0), 6*u0) (unhinted: Eq(3*u0 + 3*Max(1, u0), 6*u0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.Embedding(num_embeddings=4, embedding_dim=3).train()

def inner(x0, x1):
    v0 = torch.func.functional_call(module, {'weight': x1}, (x0,), {})
    return parts(v0)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x1: inner(x0, x1), (x1,), tuple(map(torch.ones_like, (x1,))))
    return (*outputs, *tangents)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=None, fullgraph=True)
MARKED = {0: {1: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([], dtype=torch.int64).reshape((2, 0)), torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((4, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
