# torch_api, dynamo.dynamic on cpu: OVER_BUDGET 2 <= x0.size()[2] <= 9 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.fft.rfft2(x0, s=(3, 10))
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([0.3681029677391052, -0.437532901763916, 0.20920321345329285, -0.412156879901886, -2.545788288116455, 0.9569681882858276, -0.03553500398993492, 0.05972190201282501, 0.0538899265229702, 0.8986431360244751, 0.005228999070823193, 0.44863083958625793], dtype=torch.float32).reshape((2, 2, 3)), ), {}),
    ((torch.tensor([0.4884764552116394, 1.0891637802124023, -0.9423768520355225, 1.3605071306228638, 0.28212690353393555, -1.6004222631454468, -1.1727696657180786, 1.3722633123397827, 1.3082252740859985, -0.982491672039032, -0.329897940158844, -0.5318993926048279, -0.22835084795951843, -0.08473822474479675, -0.5245619416236877, 0.905742347240448, 0.7389387488365173, -1.8371846675872803, -1.6390830278396606, 0.7392411231994629, -0.26900437474250793, -0.41582074761390686, -0.9685062766075134, 0.5563458800315857, 0.49611225724220276, 1.2223951816558838, -0.33995652198791504, 0.8861305117607117, 0.8048878312110901, -0.3184715807437897, 0.4091354310512543, 0.6160497069358826, -0.22388339042663574, -0.7957199215888977, -0.7081964015960693, -0.8271145820617676, -0.01371245551854372, 0.06172040104866028, -0.5486253499984741, -0.8628441095352173], dtype=torch.float32).reshape((2, 2, 10)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
