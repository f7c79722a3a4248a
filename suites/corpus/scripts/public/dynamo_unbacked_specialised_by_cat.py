# A size marked unbacked that cat forces to 5 becomes the constant 5 in silence, where mark_dynamic raises.
# github.com/pytorch/pytorch/issues/145775, closed. Present on 2.13.0.
import sys, torch
seen = []
def backend(gm, inputs):
    seen.extend(n.meta["example_value"].shape for n in gm.graph.nodes if n.op == "placeholder" and hasattr(n.meta.get("example_value"), "shape"))
    return gm.forward
@torch.compile(backend=backend)
def fn(x): return torch.cat([x, torch.ones(5, 5)])
x = torch.ones(5, 5)
torch._dynamo.decorators.mark_unbacked(x, 0)
torch._dynamo.decorators.mark_unbacked(x, 1)
fn(x)
print(seen)
if any(str(s).isdigit() for sh in seen for s in sh): sys.exit("specialised in silence")
