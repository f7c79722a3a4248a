# x[:, : n // 2 * 2].unflatten(1, (-1, 2)), n odd and unbacked: the compiled program asserts at run time that nothing is
# cropped, Eq(u0, Min(u0, 2*(u0//2))), and raises where eager does not.
import sys
import torch

def pairs(x):
    return x[:, : x.shape[1] // 2 * 2].unflatten(1, (-1, 2))

x = torch.ones(1, 1)
for dim in (0, 1):
    torch._dynamo.decorators.mark_unbacked(x, dim, shape_id="a")
try:
    got = torch.compile(pairs, backend="aot_eager_decomp_partition", fullgraph=True)(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, pairs(x))
