# A nested_compile_region that returns a size, which torch.full takes. github.com/pytorch/pytorch/issues/182275, closed.
# Present on 2.11.0.
import torch
from torch.compiler import nested_compile_region
@nested_compile_region
def gn(q): return q.sin().cos() * 2.0, q.shape[0] * 2
@torch.compile(fullgraph=True, dynamic=True)
def fn(q):
    o, n = gn(q)
    return o.sum() + torch.full((n,), 1.0).sum()
q = torch.randn(4, 8, requires_grad=True)
fn(q).backward()
