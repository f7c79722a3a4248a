# programs, export_again.named on cpu: RAISED AssertionError: Guard failed: args_1.size()[3] // 3 == 4
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
a = torch.export.Dim('a')
dynamic_shapes = ((None, {3: a + 1}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((1, torch.tensor([-0.5110510587692261, 0.24490121006965637, 0.23480261862277985, 1.0958564281463623, -0.17196771502494812, 0.7630942463874817, -1.1736807823181152, -0.8049739599227905, 1.0537675619125366, -0.4819929301738739, 0.3370831310749054, -0.5888183116912842, 0.18400724232196808, 0.09913305193185806, -1.3493021726608276, 1.1947253942489624, 0.35270988941192627, -0.09303857386112213, 0.604955792427063, 0.47518593072891235, -0.455192893743515, 1.2146402597427368, -0.09912967681884766, -0.28986412286758423, 0.13821204006671906, 0.33075419068336487, 0.19373083114624023, 0.3021809756755829, 0.4946267604827881, -0.6630780100822449, 0.5433222651481628, 0.9615840911865234], dtype=torch.float32).reshape((2, 2, 2, 4)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
