# torch.export of the first half of a row, with a Dim from 4 on: refused for the guard n // 2 <= n, which every n meets;
# the fix that is suggested, a = 2*_a, would give up the odd sizes for nothing. With Dim.DYNAMIC it is exported, and right.
import sys
import torch


class Half(torch.nn.Module):
    def forward(self, x):
        return x[: x.shape[0] // 2]


dynamic = torch.export.export(Half(), (torch.zeros(6),), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
assert dynamic.module()(torch.zeros(9)).shape == (4,)
try:
    torch.export.export(Half(), (torch.zeros(6),), dynamic_shapes=({0: torch.export.Dim("a", min=4)},))
except torch._dynamo.exc.UserError as error:
    if "// 2) <= L" not in str(error):
        raise
    sys.exit(str(error).splitlines()[1].strip(" -"))
