# batch_norm(training=True) of no rows (instance_norm alike): eager and the exported program return no rows; the same
# program after run_decompositions() raises "input tensor must have at least one element".
import sys
import torch


class Normalised(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.batch_norm(x, None, None, training=True)


rows = torch.export.Dim.DYNAMIC
program = torch.export.export(Normalised(), (torch.ones(5, 3, 4),), dynamic_shapes=({0: rows},))
empty = torch.ones(0, 3, 4)
assert Normalised()(empty).shape == program.module()(empty).shape == empty.shape
try:
    program.run_decompositions().module()(empty)
except RuntimeError as error:
    sys.exit(f"{error}")
