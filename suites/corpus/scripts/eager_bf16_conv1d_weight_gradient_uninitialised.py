# The weight's gradient of a grouped, strided conv1d in bfloat16 holds uninitialised memory (taps that see only padding):
# eager gives whatever was freed before. Seen with torch 2.13.0+cpu; with ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16 it is gone.
# Processor: amx_bf16
import sys
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x, weight = torch.randn(2, 4, 1, dtype=torch.bfloat16), torch.randn(8, 2, 3, dtype=torch.bfloat16, requires_grad=True)

def gradient():
    out = F.conv1d(x, weight, groups=2, stride=2, padding=1)
    return torch.autograd.grad(out, weight, torch.ones_like(out))[0]

exact = torch.autograd.grad(F.conv1d(x.double(), w := weight.double(), groups=2, stride=2, padding=1).sum(), w)[0]
for turn in range(500):
    dirt = [torch.full((size,), 1e30) for size in range(1, 600, 3)]
    del dirt  # what is freed is what the gradient is made in
    found = gradient()
    if not torch.allclose(found.double(), exact, atol=0.1):
        sys.exit(f"turn {turn}: {found.flatten()[:6]} where {exact.flatten()[:6]} is right")
