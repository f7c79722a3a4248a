# torch.cond on a transposed row: Dynamo asserts that two mappings of strides are equal, prints them equal, and fails.
import sys
import torch

def reference(x, flag):
    return torch.cond(flag, lambda x: x.cumsum(0), lambda x: x - 0.5 * x.mean(-1, keepdim=True), (x,))

x, flag = torch.randn(8, 1).t(), torch.tensor(True)
with torch.compiler.set_stance("force_eager"):
    reference(x, flag)
try:
    torch.compile(reference, backend="eager", fullgraph=True)(x, flag)
except Exception as error:
    sys.exit(f"eager runs, compiled raises: {str(error)[:300]}")
