# torch_api, aot_eager.dynamic+threads on cpu: RAISED UserError: Could not guard on data-dependent expression 2 > u0 (unhinted: s40 > u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.ops.aten.pad_sequence.default([v0, x1])
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((5, 2)), torch.tensor([-0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013], dtype=torch.float32).reshape((2, 2)), torch.tensor([False, True, False, False, True], dtype=torch.bool), ), {}),
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
