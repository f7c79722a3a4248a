# torch.export (not strict) of torch.cond on flags[i], i from .item(): "InternalTorchDynamoError: TypeError: '<' not supported
# between instances of 'NoneType' and 'int'". With strict=True, and on flags[0], it is exported.
import torch

class Program(torch.nn.Module):
    def forward(self, flags, at, x):
        i = at.item()
        torch._check(i >= 0)
        torch._check(i < flags.shape[0])
        return torch.cond(flags[i], lambda part: part * 2, lambda part: part + 1, (x,))

args = (torch.ones(5, dtype=torch.bool), torch.tensor(2), torch.ones(7))
torch.export.export(Program(), args, strict=True)
torch.export.export(Program(), args, strict=False)
