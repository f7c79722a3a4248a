# mark_unbacked promises one graph for every size, 0 included; but a contiguous tensor whose *inner* unbacked size is 0
# has stride max(size, 1), and the guard `x.stride()[0] == 8*x.size()[1]` ("unknown source, please file a bug") fails.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked

compiled = torch.compile(lambda x: x * 2.0, fullgraph=True, backend="eager")
for seq in (7, 5, 1, 0):
    x = torch.randn(3, seq, 8)
    mark_unbacked(x, 0)
    mark_unbacked(x, 1)
    compiled(x)
graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if graphs > 1:
    sys.exit(f"{graphs} graphs for unbacked sizes 7, 5, 1, 0; 1 suffices")
