# lp_pool2d whose norm is a float from data: ZeroDivisionError while it is compiled.
# github.com/pytorch/pytorch/issues/170771, open. Present on 2.11.0.
import torch
import torch.nn.functional as F
torch._dynamo.config.capture_scalar_outputs = True
@torch.compile
def fn(x):
    n = min(4.0, 0.5 + float(x.mean().abs().detach()) * 1.5)
    return F.lp_pool2d(x, norm_type=n, kernel_size=1)
torch.manual_seed(0)
fn(torch.randn(1, 1, 4, 4))
