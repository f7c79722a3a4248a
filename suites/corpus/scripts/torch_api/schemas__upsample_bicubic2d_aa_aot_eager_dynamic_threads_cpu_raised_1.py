# torch_api, aot_eager.dynamic+threads on cpu: RAISED BackendCompilerFailed: backend='aot_eager' raised: GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 > 0 (unhinted: u0 > 0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x1.item()
    v1 = torch.ops.aten._upsample_bicubic2d_aa.default(x0, [v0, 1], True)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318], dtype=torch.float32).reshape((2, 2, 2, 2)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
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

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
