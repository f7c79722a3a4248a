# programs, inductor_triton.mark_dynamic on interpreted: RAISED ConstraintViolationError: Constraints violated (L['x0'].size()[1], …)! - You marked L['x0'].size()[1] as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. 
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.conv2d(x0, x1, padding=1, groups=x0.shape[1])
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {1: 'a'}, 1: {0: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318], dtype=torch.float32).reshape((2, 2, 2, 2)), torch.tensor([-1.3526537418365479, -1.6959311962127686, -0.4926769733428955, 0.2484147548675537, 0.4396958351135254, 0.11241118609905243, 0.6407923698425293, 0.441156268119812, -0.21586325764656067, -0.7425481677055359, -0.28966769576072693, 0.05250748619437218, 0.5228604674339294, 2.3022053241729736, -1.4688938856124878, -1.586688756942749, 1.203223705291748, 0.08453469723463058], dtype=torch.float32).reshape((2, 1, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
