# A size outside the min and max of mark_unbacked: "Guard failed on the same frame it was created. This is a bug", not a
# refusal that names the bounds, as the documented runtime check (and mark_dynamic) would. Seen with torch 2.13.0, cpu.
import sys
import torch

x = torch.ones(128)
torch._dynamo.decorators.mark_unbacked(x, 0, min=0, max=64)
try:
    torch.compile(lambda x: x * 2, fullgraph=True, backend="eager")(x)
except Exception as error:
    if "This is a bug" in str(error):
        sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
