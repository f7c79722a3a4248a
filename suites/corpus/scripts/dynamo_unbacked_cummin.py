# cummin and cummax of as many elements as the data say: their meta branches on "has elements" and raises; cumsum and
# logcumsumexp of the same elements compile, and eager runs all, with no elements too.
import sys
import torch
torch._dynamo.config.capture_dynamic_output_shape_ops = True

def reference(mask, scan):
    return scan(mask.nonzero().squeeze(1))

failed, mask = [], torch.tensor([True, False, True])
for scan in (lambda x: x.cumsum(0), lambda x: x.cummin(0).values, lambda x: x.cummax(0).values):
    expected = reference(mask, scan)
    assert reference(mask & False, scan).shape == (0,)
    torch._dynamo.reset()
    try:
        assert torch.equal(torch.compile(reference, backend="eager", fullgraph=True)(mask, scan), expected)
    except Exception as error:
        failed.append(f"{type(error).__name__}: {str(error)[:120]}")
if failed:
    sys.exit("\n".join(failed))
