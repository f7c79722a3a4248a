# An input that starts inside its storage, is written in place, and of which a view is returned: with dynamic sizes AOTAutograd
# makes the view anew at offset 0, and so returns what lies before the input, in silence.
import sys
import torch

def add_one(x):
    x += 1
    return x.unsqueeze(1).expand(-1, x.shape[0])

base = torch.arange(4.0)
right, found = add_one(base.clone()[1:3]), torch.compile(add_one, backend="aot_eager", dynamic=True)(base.clone()[1:3])
if not torch.equal(found, right):
    sys.exit(f"{found.tolist()} where {right.tolist()} is right")
