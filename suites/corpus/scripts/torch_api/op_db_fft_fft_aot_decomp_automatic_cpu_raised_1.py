# torch_api, aot_decomp.automatic on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(4*u0, 0) (unhinted: Eq(4*u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    v1 = torch.fft.fft(v0)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([(1.162941813468933+1.3409392833709717j), (-0.9524039030075073+0.5902155041694641j), (1.523543357849121+0.012611000798642635j), (0.4914654791355133+0.3966064453125j), (-2.1110429763793945-1.299212098121643j), (-1.5580464601516724+0.1555057317018509j), (-0.0961952805519104+0.4759547710418701j), (0.690585732460022+2.083237409591675j), (-0.04050970822572708+0.2024410516023636j), (0.639522135257721-0.9388455748558044j), (-0.06957552582025528-1.4440211057662964j), (0.429997980594635+0.38702937960624695j), (-0.6127187013626099-0.014642913825809956j), (-0.9228321313858032+0.3210075795650482j), (-0.5285429954528809-0.8390876054763794j), (-1.2975140810012817-0.1523565948009491j), (0.9189974069595337+1.2162511348724365j), (1.2140071392059326-0.5046479105949402j), (1.0578666925430298+0.8906003832817078j), (1.341357946395874+0.19218355417251587j)], dtype=torch.complex64).reshape((5, 2, 2)), torch.tensor([True, False, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
