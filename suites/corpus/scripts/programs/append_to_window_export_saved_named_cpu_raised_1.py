# programs, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (b)! - You marked b as dynamic but your code specialized it to be a constant (7). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.cat((x0, x1), dim=-2)[..., -8:, :]
    return (v2,)
reference = program
example = (torch.zeros([4, 7, 9], dtype=torch.float32), torch.zeros([4, 1, 9], dtype=torch.float32))
b = torch.export.Dim('b')
dynamic_shapes = (({1: b}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((4, 0, 9)), torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318, -1.3526537418365479, -1.6959311962127686, 0.5666506290435791, 0.7935083508491516, 0.4396958351135254, 0.11241118609905243, 0.6407923698425293, 0.441156268119812, -0.21586325764656067, -0.7425481677055359, 0.5627213716506958, 0.25962740182876587, 0.5228604674339294, 2.3022053241729736, -1.4688938856124878, -1.586688756942749, 1.203223705291748, 0.08453469723463058, -1.2001394033432007, -0.004785737954080105], dtype=torch.float32).reshape((4, 1, 9)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
