# Eager pixel_unshuffle of an empty batch returns its input's shape, not the documented one, which the meta kernel and
# Inductor give (cf. pytorch#192816). Seen with torch 2.13.0, cpu.
import sys
import torch
import torch.nn.functional as F

x = torch.zeros(0, 4, 2, 6)
want = F.pixel_unshuffle(x.to("meta"), 2).shape
assert want == (0, 16, 1, 3)
got = F.pixel_unshuffle(x, 2).shape
if got != want:
    sys.exit(f"eager: {tuple(got)}, documented: {tuple(want)}")
