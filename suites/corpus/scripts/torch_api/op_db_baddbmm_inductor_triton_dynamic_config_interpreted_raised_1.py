# torch_api, inductor_triton.dynamic+config on interpreted: RAISED UserError: Could not guard on data-dependent expression Eq(2, u0) (unhinted: Eq(s0, u0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x1[x3]
    v1 = torch.baddbmm(x0, v0, x2)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([(1.5409960746765137-0.293428897857666j)], dtype=torch.complex64), torch.tensor([(0.8487103581428528-0.21586325764656067j), (0.6920091509819031-0.7425481677055359j), (-0.31601276993751526+0.5627213716506958j), (-2.1152193546295166+0.25962740182876587j), (0.46809640526771545+0.5943230390548706j), (-0.1577124446630478+1.5419425964355469j), (1.4436601400375366+0.5073344111442566j), (0.26604941487312317-0.5910331606864929j), (0.16645534336566925-0.5692480802536011j), (0.8743818402290344+0.9199714064598083j), (-0.14347384870052338+1.1108161211013794j), (-0.1116093322634697+1.2898740768432617j), (0.9318265914916992-1.4959149360656738j), (1.2590092420578003-0.19383712112903595j), (2.0049805641174316+0.44551217555999756j), (0.05373690277338028+1.3252748250961304j), (0.6180566549301147-1.6293259859085083j), (-0.41280221939086914-0.54974365234375j), (-0.8410648107528687-0.47983425855636597j), (-2.316041946411133-0.4996815323829651j)], dtype=torch.complex64).reshape((5, 2, 2)), torch.tensor([(0.2733677327632904+0.18942345678806305j), (-0.9180999994277954-0.21902281045913696j), (-0.04042108729481697+2.057591199874878j), (0.28811681270599365-0.03542188182473183j), (-0.007537308149039745+0.06271883100271225j), (-0.9144954681396484-0.7663062810897827j), (-1.0885837078094482+1.0992505550384521j), (-0.26659631729125977+2.7565383911132812j)], dtype=torch.complex64).reshape((2, 2, 2)), torch.tensor([False, True, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
