# programs, aot_decomp.dynamic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 0. expected 3, actual 2 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.take_along_dim(x0, x1, 0)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([(-1.1258398294448853-0.4926769733428955j), (-1.152360200881958+0.2484147548675537j), (0.5666506290435791-0.23033547401428223j), (0.7935083508491516-0.3917543888092041j), (0.5988394618034363+0.5432947278022766j), (-1.5550950765609741-0.3951575458049774j), (-0.3413603901863098+0.20552566647529602j), (1.85300612449646-0.4503297507762909j), (0.46809640526771545-0.5730770826339722j), (-0.1577124446630478-0.5553584098815918j), (-0.1733967512845993-1.5311843156814575j), (0.18347793817520142-1.2341350317001343j), (1.3893661499023438+1.8197252750396729j), (1.586334228515625-0.5515286922454834j), (0.946298360824585-1.3253259658813477j), (-0.843676745891571+0.1885535717010498j), (0.9318265914916992-0.06907268613576889j), (1.2590092420578003-0.4949253499507904j)], dtype=torch.complex64).reshape((3, 3, 2)), torch.tensor([2, 1, 2, 2, 0, 1], dtype=torch.int64).reshape((2, 3, 1)), ), {}),
    ((torch.tensor([(1.5409960746765137-0.7192575931549072j), (-0.293428897857666-0.40334352850914j), (-2.1787893772125244-0.5966353416442871j), (0.5684312582015991+0.18203648924827576j), (-1.0845223665237427-0.8566746115684509j), (-1.3985954523086548+1.1006041765213013j), (0.40334683656692505-1.0711873769760132j), (0.8380263447761536+0.1227012425661087j)], dtype=torch.complex64).reshape((2, 2, 2)), torch.tensor([1, 0, 1, 1], dtype=torch.int64).reshape((2, 2, 1)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
