# BatchNorm1d(momentum=None): 1 / the count of batches is a guard on data. github.com/pytorch/pytorch/issues/194504,
# open. Present on 2.13.0.
import torch
m = torch.nn.BatchNorm1d(4, momentum=None)
torch.compile(m, fullgraph=True, backend="aot_eager")(torch.randn(3, 4))
