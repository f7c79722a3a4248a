# torch_api, aot_eager.dynamic on cpu: RAISED BackendCompilerFailed: backend='aot_eager' raised: GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.polygamma(x1, x0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([-0.16885912418365479, -0.09304260462522507, -0.19603052735328674, -1.4555549621582031, 9.99994610111476e-41, -0.7307339906692505, -1.464904546737671, -0.6958667039871216, float("-inf"), -0.6992087960243225, 0.17558979988098145, 2.201517343521118, -0.5069379806518555, -0.3922870457172394, -1.0017955303192139, -0.6306427121162415, -0.733731746673584, -0.31291988492012024, 0.030759692192077637], dtype=torch.float32).reshape((1, 19)).data, torch.tensor([3], dtype=torch.int64).reshape(()).data, ), {}),
    ((torch.tensor([-0.16885912418365479, -0.09304260462522507, -0.19603052735328674, -1.4555549621582031, 9.99994610111476e-41, -0.7307339906692505, -1.464904546737671, -0.6958667039871216, float("-inf"), -0.6992087960243225, 0.17558979988098145, 2.201517343521118, -0.5069379806518555, -0.3922870457172394, -1.0017955303192139, -0.6306427121162415, -0.733731746673584, -0.31291988492012024, 0.030759692192077637], dtype=torch.float32).reshape((1, 19)).data, torch.tensor([3], dtype=torch.int64).reshape(()).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
