# A strided conv2d in bfloat16 whose result is one column wide reads uninitialised memory: the result depends on what
# was freed before (cf. pytorch#169688, of conv3d). With ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16 it is gone.
# Processor: amx_bf16
import sys
import torch
import torch.nn.functional as F

torch.manual_seed(0)
weight = torch.randn(16, 16, 3, 3, dtype=torch.bfloat16)

def error(columns, stride):
    x = torch.randn(4, 16, 16, columns, dtype=torch.bfloat16)
    exact = F.conv2d(x.double(), weight.double(), stride=stride)
    dirt = [torch.full((size,), 1e30) for size in range(1, 3000, 7)]
    del dirt
    return (F.conv2d(x, weight, stride=stride) - exact).abs().nan_to_num(float("inf")).max().item()

fine = max(error(columns, stride) for _ in range(50) for columns, stride in ((3, 1), (5, 2)))
wrong = max(error(3, 2) for _ in range(50))
if wrong > 10 * fine:
    sys.exit(f"off by {wrong:.3g} with one column and a stride of 2, by {fine:.3g} with more columns or no stride")
