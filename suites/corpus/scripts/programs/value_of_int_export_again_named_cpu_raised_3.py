# programs, export_again.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][1].size()[3] in the specified range satisfy the generated guard (L['args'][1].size()[3] // 3) == 4.Specializations unexpectedly required (a)! For more information, run w
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(n0, x1):
    v2_0 = x1 + x1.narrow(0, 0, min((x1.shape[2] + 4 | hash(x1.shape[2]) % 7) + n0, x1.shape[0])).sum(0)
    v2_1 = F.rms_norm(v2_0, v2_0.shape[-1:], eps=abs(int(x1.shape[3] // 3) + n0) + 0.01)
    v2_2 = v2_1.roll(0 + x1.shape[0] + n0, -1)
    v2 = v2_2
    return (v2,)
reference = program
example = (1, torch.zeros([2, 2, 2, 13], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
dynamic_shapes = ((None, {3: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((1, torch.tensor([-0.5110510587692261, 0.24490121006965637, 0.23480261862277985, 1.0958564281463623, -0.17196771502494812, 0.7630942463874817, -1.1736807823181152, -0.8049739599227905, -0.19892236590385437, -0.7001163959503174, -0.21589164435863495, 0.16621814668178558, -0.6964731812477112, 1.6731408834457397, 0.5677063465118408, -0.7326223850250244, -0.2880760729312897, -0.4528811275959015, 0.23357562720775604, 0.40164345502853394, -0.6587190628051758, -1.5046172142028809, 0.5754745006561279, 0.408554345369339], dtype=torch.float32).reshape((2, 2, 2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
