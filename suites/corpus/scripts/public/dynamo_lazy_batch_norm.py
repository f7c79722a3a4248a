# A lazy module is initialised while it is traced: its parameters' sizes are symbols.
# github.com/pytorch/pytorch/issues/185488, closed. Present on 2.13.0.
import torch
m = torch.compile(torch.nn.Sequential(torch.nn.LazyBatchNorm2d()), dynamic=True, backend="eager")
m(torch.randn(1, 3, 16, 16))
