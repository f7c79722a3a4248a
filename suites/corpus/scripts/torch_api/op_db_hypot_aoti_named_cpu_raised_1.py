# torch_api, aoti.named on cpu: RAISED RuntimeError: input_handles[1]: dim value is too small at 0, expected it to be >= 5, but got: 4
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x1[x2]
    v1 = torch.hypot(x0, v0)
    return parts(v1)
reference = program
example = (torch.zeros([11, 1], dtype=torch.float32), torch.zeros([5], dtype=torch.float32), torch.zeros(6, dtype=torch.bool).as_strided([5], [1], 1))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({0: a}, {0: b + 3}, {0: b + 3}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)

calls = [
    ((torch.tensor([-71.937255859375, -62.84468078613281], dtype=torch.float32).reshape((2, 1)), torch.tensor([-0.29578104615211487, 0.6677793264389038, 1.1431007385253906, -0.48921266198158264, -0.07275306433439255, -1.144509196281433, float("-inf"), -1.4789930582046509, -1.87605881690979, 0.5633626580238342, 9.99994610111476e-41, 0.02705845609307289, 0.25110483169555664, 0.8577410578727722, 0.8055447340011597, 0.8936071395874023, -0.5206258893013, 9.99994610111476e-41, -0.17159782350063324, -0.6868964433670044, -0.7231007218360901], dtype=torch.float32), torch.tensor([True, True, True, True, False, True, True, True, True, False, True, True, True, True, True, True, True, True, True, False, True], dtype=torch.bool), ), {}),
    ((torch.tensor([0.10359743237495422, -0.035024724900722504, 0.9028025269508362, 2.317195415496826, -0.2309863567352295, 0.7776310443878174, -0.08831986784934998, -0.06555525213479996, 0.04773039370775223, 1.2296644449234009, -1.9714583158493042, 1.3269296884536743, -0.9816086292266846], dtype=torch.float32).reshape((13, 1)), torch.tensor([-0.20086415112018585, -0.11364436894655228, 0.8938747048377991, 0.9855117797851562], dtype=torch.float32), torch.tensor([False, True, False, False], dtype=torch.bool), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1)), torch.tensor([-112.57393646240234, -82.18940734863281, 119.00371551513672], dtype=torch.float32), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
    ((torch.tensor([-91.88827514648438, 99.9347152709961, -96.41061401367188, -72.49141693115234, 52.12041091918945, -24.84671974182129, -0.8524386882781982, -81.81706237792969, -16.57965660095215, 38.2673454284668, -100.16909790039062, -101.76270294189453], dtype=torch.float32).reshape((12, 1)), torch.tensor([-0.4324234426021576, -0.4324234426021576, -1.3847620487213135, -1.3847620487213135, 1.006984829902649, 1.006984829902649, float("nan"), float("nan"), 0.024619216099381447, 0.024619216099381447, 0.004556122701615095, 0.004556122701615095, -0.5704996585845947, -0.5704996585845947, -0.6554620265960693, -0.6554620265960693, -1.1697502136230469, -1.1697502136230469, -0.21769733726978302, -0.21769733726978302, float("inf"), float("inf"), 0.021098686382174492, 0.021098686382174492, 1.0742743015289307, 1.0742743015289307, 1.133175253868103, 1.133175253868103, -0.18064038455486298, -0.18064038455486298, 1.960954189300537, 1.960954189300537, 0.54432213306427, 0.54432213306427, 1.088395357131958, 1.088395357131958, float("nan")], dtype=torch.float32).as_strided((19,), (2,)), torch.tensor([True, True, True, True, False, True, True, True, True, True, True, False, True, True, True, True, True, False, True], dtype=torch.bool), ), {}),
    ((torch.tensor([-89.56349182128906, 42.76051712036133, -80.5203628540039, -46.244747161865234, -93.24691009521484, 2.3934500217437744, 178.2322540283203, 40.51797866821289, -54.278499603271484, -141.672119140625, 124.90402221679688, -143.98191833496094], dtype=torch.float32).reshape((12, 1)), torch.tensor([-3.083063840866089, 1.4182922840118408, 2.1024293899536133, -0.21649092435836792, 0.9620416760444641, 0.8781330585479736, 1.3893054723739624, -0.31258425116539, 0.6673982739448547, 0.6380369067192078, -1.14773428440094, 0.795063316822052, -0.19203487038612366, -0.7559773325920105, -2.007032632827759, 0.4456748068332672, 0.3211841583251953, 0.18435917794704437, 0.6163551211357117, -1.28612220287323, 0.0062407529912889, 0.3230823874473572, -1.5079070329666138, -0.08959831297397614, -0.6523004174232483, 0.08955583721399307, 0.19575883448123932, 1.2063885927200317, -1.080997347831726, -1.485314965248108, -0.26821407675743103, 0.46515318751335144, 0.8559168577194214, 0.6721741557121277], dtype=torch.float32), torch.tensor([True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, True, True, True, True, True, True, True, False, True, True, False, True, True, True], dtype=torch.bool), ), {}),
    ((torch.tensor([-71.937255859375, -62.84468078613281], dtype=torch.float32).reshape((2, 1)), torch.tensor([-0.29578104615211487, 0.6677793264389038, 1.1431007385253906, -0.48921266198158264, -0.07275306433439255, -1.144509196281433, float("-inf"), -1.4789930582046509, -1.87605881690979, 0.5633626580238342, 9.99994610111476e-41, 0.02705845609307289, 0.25110483169555664, 0.8577410578727722, 0.8055447340011597, 0.8936071395874023, -0.5206258893013, 9.99994610111476e-41, -0.17159782350063324, -0.6868964433670044, -0.7231007218360901], dtype=torch.float32), torch.tensor([True, True, True, True, False, True, True, True, True, False, True, True, True, True, True, True, True, True, True, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
