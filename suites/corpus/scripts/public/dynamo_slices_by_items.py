# x[:, :, a:b, c:d] with bounds from a tensor: two slices in one index lose a symbol.
# github.com/pytorch/pytorch/issues/185185, open. Present on 2.13.0.
import torch
torch._dynamo.config.capture_scalar_outputs = True
@torch.compile(backend="eager", fullgraph=True)
def f(x, i):
    a, b, c, d = i.tolist()
    return x[:, :, a:b, c:d]
f(torch.randn(2, 3, 8, 8), torch.tensor([1, 4, 2, 6]))
