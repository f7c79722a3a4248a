# A non-strict export cannot hand cond a tensor whose rows were read from data: Dynamo wants a hint for their number.
# github.com/pytorch/pytorch/issues/154559, open. Present on 2.11.0, gone in 2.13.0.
import torch
class M(torch.nn.Module):
    def forward(self, x):
        rows = x.item()
        y = torch.empty(rows, 10)
        return torch.cond(rows > 0, torch.sin, torch.cos, [y])
torch.export.export(M(), (torch.tensor([4]),), strict=False)
