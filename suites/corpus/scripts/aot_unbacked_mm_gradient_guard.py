# x[mask] @ w with one column in x: the backward formula of mm asks whether its first factor is column-major,
# whose strides are (1, 1) here, and guards on Eq(u0, 1): GuardOnDataDependentSymNode. Without a gradient, or
# with two columns, it compiles.
# Seen with torch 2.13.0, cpu.
import sys
import torch
torch._dynamo.config.capture_dynamic_output_shape_ops = True

def reference(x, mask, w):
    return x[mask] @ w

x, mask, w = torch.randn(3, 1), torch.tensor([True, False, True]), torch.randn(1, 2)
want = reference(x, mask, w)
compiled = torch.compile(reference, fullgraph=True, backend="aot_eager")
assert torch.equal(compiled(x, mask, w), want)
try:
    got = compiled(x.requires_grad_(), mask, w)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, want)
