# A random.Random object of the closure: once one graph serves many sizes its numbers repeat.
# github.com/pytorch/pytorch/issues/196437, open. Present on 2.13.0.
import random, sys, torch
def make():
    r = random.Random(0)
    return lambda x: x + r.randint(1, 100)
def run(f): return [int(f(torch.zeros(s)).flatten()[0]) for s in ((1,), (1, 5), (2, 2), (2, 3))]
want, got = run(make()), run(torch.compile(make(), dynamic=True, backend="eager"))
print(want, got)
if want != got: sys.exit("wrong: stale")
