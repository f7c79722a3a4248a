# engines, export.named on cpu: RAISED build raised UserError: Constraints violated (batch, …)! - You marked seq as dynamic but your code specialized it to be a constant (13). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it wi
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def reference(x_BSD, w_4D, u_4H, b_4):
    start = x_BSD.new_zeros(1, x_BSD.size(0), u_4H.size(1))
    output, hidden, _ = torch.lstm(x_BSD, (start, start), (w_4D, u_4H, b_4, b_4), True, 1, 0.0, False, False, batch_first=True)
    return (output, hidden[0])
example = (torch.zeros([5, 13, 8, 2], dtype=torch.float32).as_strided([5, 13, 8], [208, 16, 2], 0), torch.zeros([48, 8], dtype=torch.float32), torch.zeros([48, 12], dtype=torch.float32), torch.zeros([48], dtype=torch.float32))
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 1: seq}, {}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(1679, generator=G).to(torch.float32).as_strided((105, 1, 8), (16, 16, 2)).data, torch.randn(384, generator=G).to(torch.float32).reshape((48, 8)).data, torch.randn(576, generator=G).to(torch.float32).reshape((48, 12)).data, torch.tensor([2.1234445571899414, -0.9245949387550354, -0.5357904434204102, 0.4354695975780487, 0.9105392098426819, -0.08893275260925293, 1.26591157913208, 0.8755398392677307, 0.05779994651675224, 0.9849672317504883, -1.3893550634384155, -0.20313043892383575, 0.2863014042377472, -1.2523913383483887, 0.20509420335292816, 0.12095660716295242, -0.09520046412944794, -0.34368589520454407, -1.3129433393478394, -0.4755951762199402, 1.2102282047271729, 1.9981088638305664, -0.39834854006767273, -1.344853162765503, 0.6361480951309204, 1.0099778175354004, 0.563490629196167, -0.16998592019081116, 1.6925790309906006, 1.4446498155593872, -1.1638787984848022, -1.7150826454162598, 2.5997960567474365, 0.03657347708940506, -1.4920597076416016, 0.7634918093681335, 0.4493235647678375, 1.1127291917800903, 2.0173134803771973, 1.7173222303390503, -1.5117450952529907, -0.8372718095779419, -0.17692933976650238, -0.3540925979614258, 1.5954482555389404, -0.20074248313903809, -0.144826740026474, -0.24293732643127441], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
