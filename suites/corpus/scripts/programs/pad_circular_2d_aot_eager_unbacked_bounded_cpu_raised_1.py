# programs, aot_eager.unbacked+bounded on cpu: RAISED UserError: Could not guard on data-dependent expression 2 <= u0 (unhinted: 2 <= u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.pad(x0, (2, 3, 0, 0), mode='circular')
    return (v1,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=None, fullgraph=True)
MARKED = {0: {3: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([(-1.1258398294448853-0.21586325764656067j), (-1.152360200881958-0.7425481677055359j), (-0.2505785822868347+0.5627213716506958j), (-0.4338788092136383+0.25962740182876587j), (0.8487103581428528-0.17396099865436554j), (0.6920091509819031-0.678746223449707j), (-0.31601276993751526+0.9382607340812683j), (-2.1152193546295166+0.4888698160648346j), (0.46809640526771545-0.5692480802536011j), (-0.1577124446630478+0.9199714064598083j), (1.4436601400375366+1.1108161211013794j), (0.26604941487312317+1.2898740768432617j), (0.16645534336566925-1.4781739711761475j), (0.8743818402290344+2.567232847213745j), (-0.14347384870052338-0.4731197953224182j), (-0.1116093322634697+0.3355507552623749j), (0.9318265914916992-1.6293259859085083j), (1.2590092420578003-0.54974365234375j), (2.0049805641174316-0.47983425855636597j), (0.05373690277338028-0.4996815323829651j), (0.6180566549301147-1.0669803619384766j), (-0.41280221939086914+1.114939570426941j), (-0.8410648107528687-0.14067143201828003j), (-2.316041946411133+0.8057535886764526j)], dtype=torch.complex64).reshape((2, 2, 2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
