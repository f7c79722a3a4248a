# grid_sample with padding_mode="zeros" outside the image: the decomposition multiplies the first pixel by a weight of zero
# where eager reads nothing, which gives NaN wherever that pixel is infinite or NaN.
import sys
import torch
import torch.nn.functional as F

def sample(image, grid):
    return F.grid_sample(image, grid, mode="bilinear", padding_mode="zeros", align_corners=False)

image, outside = torch.ones(1, 1, 3, 3), torch.full((1, 2, 2, 2), 3.0)
image[0, 0, 0, 0] = float("inf")
expected = sample(image, outside)
assert torch.equal(expected, torch.zeros(1, 1, 2, 2))
got = torch.compile(sample, backend="aot_eager_decomp_partition", fullgraph=True)(image, outside)
if not torch.equal(got, expected):
    sys.exit(f"{got.flatten().tolist()} where {expected.flatten().tolist()} is right")
