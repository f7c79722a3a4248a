# Upsample(mode='area') with symbolic sizes: Inductor's lowering of _adaptive_avg_pool2d asks a relation of symbols for
# its truth. github.com/pytorch/pytorch/issues/185575, closed. Present on 2.13.0.
import torch
m = torch.nn.Upsample(scale_factor=2, mode="area")
torch.compile(m, dynamic=True)(torch.randn(1, 3, 15, 19))
