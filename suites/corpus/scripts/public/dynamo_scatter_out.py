# scatter(..., out=) with symbolic sizes: its check calls numel(). github.com/pytorch/pytorch/issues/194103, open.
# Present on 2.13.0.
import torch
def f(x, i, s, o): return torch.scatter(x, 1, i, s, out=o)
c = torch.compile(f, backend="eager", fullgraph=True, dynamic=True)
for w in (2, 3, 5):
    x, i, s = torch.zeros(1, w), torch.arange(w).unsqueeze(0), torch.ones(1, w)
    o = torch.empty_like(x)
    f(x, i, s, o); c(x, i, s, o)
