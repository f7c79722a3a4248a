# programs, inductor_triton.dynamic on interpreted: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 4, actual 2 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.conv_transpose1d(x0, x1, stride=1, padding=0)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318], dtype=torch.float32).reshape((2, 4, 2)), torch.tensor([-1.3526537418365479, -1.6959311962127686, 0.5666506290435791, 0.7935083508491516, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, -0.21586325764656067, -0.7425481677055359, 0.5627213716506958, 0.25962740182876587, -0.17396099865436554, -0.678746223449707, 0.9382607340812683, 0.4888698160648346, 1.203223705291748, 0.08453469723463058, -1.2001394033432007, -0.004785737954080105, -0.5180748105049133, -0.30670419335365295, -1.580993890762329, 1.7066433429718018], dtype=torch.float32).reshape((4, 2, 3)), ), {}),
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([-0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087, -0.5663174986839294, 0.3731146454811096, -0.8919953107833862, -1.5091077089309692], dtype=torch.float32).reshape((2, 2, 3)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
