# backed_size_oblivious: AOTAutograd fails with "AssertionError: False != True" on a view at an offset of size n by n
# where n is 0; sizes of 1 by 1 and 0 by 2 compile. The hint of a bound on the storage says other than its formula.
import sys
import torch

def reference(x):
    return torch.ones(2, *x.shape)[1] + x

def compiles(shape):
    torch._dynamo.reset()
    with torch.fx.experimental._config.patch(backed_size_oblivious=True):
        return torch.compile(reference, backend="aot_eager", fullgraph=True, dynamic=True)(torch.ones(shape))

assert reference(torch.ones(0, 0)).shape == (0, 0)
assert compiles((1, 1)).shape == (1, 1) and compiles((0, 2)).shape == (0, 2)
try:
    assert compiles((0, 0)).shape == (0, 0)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
