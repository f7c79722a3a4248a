# x[:, a] with a number of which all that is known is that it was read: IndexError, "got SymInt". Where the tensor that is
# read is an argument of no dims, and in x[a] alone, there is none.
import sys, torch
torch._dynamo.config.capture_scalar_outputs = True
def f(x, i):
    a = i[0].item()
    return x[:, a]
x, i = torch.randn(9, 9), torch.tensor([3, 4])
f(x, i)
try: torch.compile(f, backend="eager", fullgraph=True)(x, i)
except IndexError as error: sys.exit(str(error).splitlines()[0])
