# torch_api, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (batch, …)! - You marked batch as dynamic but your code specialized it to be a constant (17). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace 
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.nn.functional.instance_norm(x0, running_mean=x1, running_var=x2)
    return parts(v0)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, 0))(x0, x1, x2)
reference = program
example = (torch.zeros([17, 8, 9, 2, 2], dtype=torch.float32), torch.zeros(153, dtype=torch.float32).as_strided([17, 9], [1, 17], 0), torch.zeros(154, dtype=torch.float32).as_strided([17, 9], [9, 1], 1))
batch = torch.export.Dim('batch', min=1)
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b', min=1)
d = torch.export.Dim('d')
dynamic_shapes = (({0: batch, 1: a, 2: b, 4: d}, {0: batch, 1: b}, {0: batch, 1: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(1152, generator=G).to(torch.float32).reshape((12, 1, 4, 2, 12)), torch.tensor([18.78472328186035, -60.433189392089844, -50.168006896972656, -37.365501403808594, 67.18318176269531, 101.51394653320312, 45.81821060180664, 51.82913589477539, 19.080595016479492, -73.875244140625, -158.4044647216797, 42.97457504272461, -53.56767272949219, 28.339096069335938, -57.288330078125, -63.34046173095703, 43.044822692871094, -103.08007049560547, 85.43196105957031, 124.9436264038086, -3.59737491607666, 32.8493537902832, 66.20745849609375, 10.72731876373291, -49.524925231933594, 78.81304168701172, -19.17671775817871, 161.43673706054688, 21.445829391479492, 20.639219284057617, 20.448190689086914, -72.29242706298828, 13.832963943481445, 187.142333984375, -144.50732421875, 122.499755859375, 18.717247009277344, 160.02210998535156, -19.704509735107422, -125.39802551269531, -64.4521713256836, -176.4660186767578, 225.36285400390625, -44.105743408203125, -50.16167068481445, 13.380013465881348, 77.89859771728516, 110.7325210571289], dtype=torch.float32).as_strided((12, 4), (1, 12)), torch.tensor([-0.44422265887260437, -0.395779550075531, 0.7522949576377869, 0.8423947691917419, 0.653802752494812, 2.1491737365722656, -0.37525108456611633, 1.2314742803573608, -2.1278340816497803, 0.6320703029632568, 0.40060871839523315, -0.5718441009521484, 0.9683720469474792, 0.5264919996261597, 0.6650325655937195, 0.478170245885849, -0.36118239164352417, -0.09288979321718216, -0.7249685525894165, -0.2392619103193283, 0.31022876501083374, 1.4507946968078613, 0.6282926201820374, -0.1660509556531906, -2.5059337615966797, -2.0094501972198486, 0.10883452743291855, -1.867273211479187, 1.153881311416626, 0.5893581509590149, 0.12519143521785736, -0.9814852476119995, 2.0016438961029053, 0.1436173915863037, -0.13889119029045105, -0.6885017156600952, -1.3837478160858154, 1.0685858726501465, -0.006765741389244795, 0.5421798825263977, -0.8814487457275391, 0.14605498313903809, -1.1060997247695923, 0.8301144242286682, -1.0312117338180542, -0.28873783349990845, -0.8086445927619934, -0.10063857585191727], dtype=torch.float32).reshape((12, 4)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
