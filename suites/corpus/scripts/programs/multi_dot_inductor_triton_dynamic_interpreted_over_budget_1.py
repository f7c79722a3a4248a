# programs, inductor_triton.dynamic on interpreted: OVER_BUDGET tensor 'x1' size mismatch at index 1. expected 4, actual 2 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3 = torch.linalg.multi_dot((x0, x1, x2))
    return (v3,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((2, 3)), torch.tensor([0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087, -0.5663174986839294, 0.3731146454811096], dtype=torch.float32).reshape((3, 4)), torch.tensor([-0.8919953107833862, -1.5091077089309692, 0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32).reshape((4, 2)), ), {}),
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((2, 3)), torch.tensor([0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((3, 2)), torch.tensor([-0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
