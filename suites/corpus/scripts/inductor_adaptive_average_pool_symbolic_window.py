# Area interpolation (adaptive_avg_pool2d) to twice a dynamic size: Inductor's lowering takes the truth value of
# "window > 25" with a symbol in it and raises TypeError; aot_eager runs, and so does Inductor with static sizes.
import sys
import torch
import torch.nn.functional as F

def reference(x):
    return F.interpolate(x, scale_factor=2, mode="area")

x = torch.randn(2, 2, 2, 4)
expected = reference(x)
assert torch.equal(torch.compile(reference, backend="aot_eager", fullgraph=True, dynamic=True)(x), expected)
try:
    got = torch.compile(reference, fullgraph=True, dynamic=True)(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.allclose(got, expected)
