# Linear and bilinear upsampling as decomposed (aot_eager, inductor): a + (b - a) * weight is inf - inf = NaN where both
# taps are the same infinite element; eager, w0 * a + w1 * b, keeps the infinity, and copies where the size stays.
import sys
import torch
import torch.nn.functional as F

def reference(x):
    return F.interpolate(x, size=6, mode="linear")

x = torch.tensor([[[1.0, 2.0, float("inf")]]])
expected = reference(x)
assert expected.isinf().any() and not expected.isnan().any()
got = torch.compile(reference, backend="aot_eager", fullgraph=True)(x)
if got.isnan().any():
    sys.exit(f"{got.flatten().tolist()} where eager gives {expected.flatten().tolist()}")
assert torch.allclose(got, expected)
