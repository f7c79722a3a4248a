# dropout1d and dropout2d of as many rows as the data say: feature dropout branches on "no elements" while it is traced
# and raises, although it can run with none; dropout of the same rows compiles.
import sys
import torch
import torch.nn.functional as F
torch._dynamo.config.capture_dynamic_output_shape_ops = True

def whole(mask):
    return F.dropout(mask.nonzero().float(), 0.5)

def features(mask):
    return F.dropout1d(mask.nonzero().float(), 0.5)

mask = torch.tensor([True, False, True])
assert features(mask).shape == torch.compile(whole, backend="eager", fullgraph=True)(mask).shape == (2, 1)
assert features(mask & False).shape == (0, 1)
try:
    assert torch.compile(features, backend="eager", fullgraph=True)(mask).shape == (2, 1)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
