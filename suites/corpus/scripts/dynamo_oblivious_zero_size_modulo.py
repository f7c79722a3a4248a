# backed_size_oblivious: a pointwise operation on a tensor of 2 rows and no columns divides by its size while strides
# are computed and raises ZeroDivisionError; without the setting, and with no rows, it compiles.
import sys
import torch

def compiles(shape, oblivious):
    torch._dynamo.reset()
    with torch.fx.experimental._config.patch(backed_size_oblivious=oblivious):
        return torch.compile(torch.sin, backend="eager", fullgraph=True, dynamic=True)(torch.ones(shape))

assert torch.sin(torch.ones(2, 0)).shape == compiles((2, 0), False).shape == (2, 0)
assert compiles((0, 2), True).shape == (0, 2)
try:
    assert compiles((2, 0), True).shape == (2, 0)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:400]}")
