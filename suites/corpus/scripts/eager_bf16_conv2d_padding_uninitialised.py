# A strided, padded conv2d in bfloat16 whose input is one column wide (most taps see only padding) adds uninitialised
# memory: eager's result depends on what was freed before. With ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16 it is gone.
# Processor: amx_bf16
import sys
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x, weight = torch.randn(4, 13, 13, 1, dtype=torch.bfloat16), torch.randn(13, 13, 3, 3, dtype=torch.bfloat16)
exact = F.conv2d(x.double(), weight.double(), stride=3, padding=2)
for turn in range(100):
    dirt = [torch.full((size,), 1e30) for size in range(1, 3000, 7)]  # freed at the next turn
    found = F.conv2d(x, weight, stride=3, padding=2)
    if not torch.allclose(found.double(), exact, rtol=0.05, atol=0.5):
        sys.exit(f"turn {turn}: off by {(found - exact).abs().max():.3g}, where {exact.abs().max():.3g} is the largest")
