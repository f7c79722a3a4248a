# A nested_compile_region called twice with a Python float under dynamic=True: "Argument 'item' of Node
# 'invoke_subgraph_1' does not belong to this Graph" (InternalTorchDynamoError). Seen with torch 2.13.0, cpu.
import sys
import torch

@torch.compiler.nested_compile_region
def block(x, scale):
    return x * scale

def reference(x, scale):
    return block(x, scale) + block(x, scale)

x = torch.ones(5)
want = reference(x, 2.5)
try:
    got = torch.compile(reference, fullgraph=True, backend="eager", dynamic=True)(x, 2.5)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, want)
