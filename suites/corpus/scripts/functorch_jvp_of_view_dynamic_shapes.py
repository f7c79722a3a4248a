# torch.func.jvp with dynamic sizes where the tangent has other strides or another offset than the primal (a slice and
# its double): _new_zeros_with_same_feature_meta calls storage_offset(), not the symbolic one; static sizes compile.
import sys
import torch

def reference(x):
    return torch.func.jvp(torch.sin, (x,), (x * 2,))[1]

x = torch.randn(9)[1:]
expected = reference(x)
assert torch.allclose(torch.compile(reference, backend="eager", fullgraph=True, dynamic=False)(x), expected)
torch._dynamo.reset()
try:
    got = torch.compile(reference, backend="eager", fullgraph=True, dynamic=True)(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:300]}")
assert torch.allclose(got, expected)
