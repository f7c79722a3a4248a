# rms_norm(x * s, eps=s + 1e-3) with a float s that changes: from the third value on the cached graph keeps an earlier
# eps. github.com/pytorch/pytorch/issues/197889, open. Present on 2.13.0.
import sys, torch
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.randn(4, 4)
def f(x, s): return F.rms_norm(x * s, (4,), eps=s + 1e-3)
g = torch.compile(f)
for s in (0.5, 1.5, 2.5, 3.5):
    if not torch.allclose(g(x, s), f(x, s), atol=1e-5): sys.exit(f"wrong at {s}")
