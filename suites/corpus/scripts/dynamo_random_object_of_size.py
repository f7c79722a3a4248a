# random.Random(n) of a symbolic size: an internal error, "SymNodeVariable() is not a constant", where a graph break or a
# constant would do.
import random, sys, torch
def f(x): return x * random.Random(x.shape[0]).random()
x = torch.randn(5)
f(x)
try: torch.compile(f, backend="eager", dynamic=True)(x)
except torch._dynamo.exc.InternalTorchDynamoError as error: sys.exit(str(error).splitlines()[0])
