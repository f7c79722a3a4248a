# torch_api, inductor.dynamic+threads on cpu: WRONG_SHAPE [0] shape [1] where eager gives []
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    v1 = torch.squeeze_copy(v0)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((4, 1, 1, 1)), torch.tensor([False, True, False, False], dtype=torch.bool), ), {}),
]

import contextvars, threading
sys.setswitchinterval(1e-5)
def at_once(function, calls):
    answers, barrier = [None] * 2 * len(calls), threading.Barrier(len(calls))
    def run(at):
        barrier.wait()
        for place, (args, options) in ((at, calls[at]), (len(calls) + at, calls[(at + 1) % len(calls)])):
            try:
                answers[place] = function(*copy.deepcopy(args), **options), None
            except Exception as error:
                answers[place] = None, error
    contexts = [contextvars.copy_context() for _ in calls]
    threads = [threading.Thread(target=context.run, args=(run, at)) for at, context in enumerate(contexts)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return answers
answers = []
for number in range(4):
    if number % 2 == 0:
        torch.compiler.reset()
    answers += at_once(implementation, calls)
calls = (calls + calls[1:] + calls[:1]) * 4
def implementation(*args, **options):
    output, error = answers.pop(0)
    if error is not None:
        raise error
    return output

def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())

for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
