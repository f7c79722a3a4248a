# clamp(max=s) with a float s that changes, and its gradient: from the third value on, AOTAutograd's cache gives the
# graph of the second value. github.com/pytorch/pytorch/issues/194976, closed. Present on 2.13.0.
import sys, torch
torch._inductor.config.force_disable_caches = False
torch.manual_seed(0)
x = torch.randn(4, 8) * 10
def f(x, s): return (x * x.clamp(max=s)).clamp(min=-s, max=s)
g = torch.compile(f)
for s in (1.0, 7.0, 3.0):
    y = x.clone().requires_grad_()
    r = g(y, s)
    if not torch.allclose(r, f(x, s), atol=1e-4): sys.exit(f"wrong at {s}")
    r.sum().backward()
