# torch.masked.median of integers: its Python asks a tensor for a bool. github.com/pytorch/pytorch/issues/194766, open.
# Present on 2.13.0.
import torch
def fn(x, m): return torch.masked.median(x, dim=0, mask=m)
a = torch.tensor([1, 9, 3]), torch.tensor([True, False, True])
torch.compile(fn, fullgraph=True, backend="aot_eager")(*a)
