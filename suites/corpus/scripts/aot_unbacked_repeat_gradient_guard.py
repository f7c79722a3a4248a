# x.repeat(n) with n from .item(), n >= 0 checked: its backward formula guards on Eq(u0, 0) and raises
# GuardOnDataDependentSymNode; without a gradient it compiles, and a sum over no rows is zero anyway.
# Seen with torch 2.13.0, cpu.
import sys
import torch
torch._dynamo.config.capture_scalar_outputs = True

def reference(x, count):
    n = count.item()
    torch._check(n >= 0)
    return x.repeat(n, 1)

x, count = torch.randn(3, 5), torch.tensor([2])
want = reference(x, count)
compiled = torch.compile(reference, fullgraph=True, backend="aot_eager")
assert torch.equal(compiled(x, count), want)
try:
    got = compiled(x.requires_grad_(), count)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, want)
