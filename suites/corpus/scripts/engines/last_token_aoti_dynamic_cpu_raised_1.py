# engines, aoti.dynamic on cpu: RAISED RuntimeError: input_handles[0]: dim value is too large at 0, expected to be <= 20, but got: 28
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def reference(x_BSD, lengths_B, w_DH):
    row_B = torch.arange(x_BSD.size(0), device=x_BSD.device)
    return x_BSD[row_B, (lengths_B - 1).clamp(min=0)] @ w_DH
example = (torch.zeros([13, 5, 1], dtype=torch.float32).as_strided([5, 13, 1], [1, 5, 1], 0), torch.zeros([5], dtype=torch.int64), torch.zeros([1, 12], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(91, generator=G).to(torch.float32).as_strided((13, 7, 1), (1, 13, 1)).data, torch.tensor([0, 5, 1, 2, 7, 7, 2, 1, 0, 3, 2, 0, 3], dtype=torch.int64), torch.tensor([-0.6109035015106201, -1.6342123746871948, 1.171788215637207, -0.15604311227798462, -0.1094680204987526, -0.220359668135643, 0.023026520386338234, 0.6368761658668518, 0.5431832075119019, -0.632630467414856, 0.4892447888851166, -1.229980230331421], dtype=torch.float32).reshape((1, 12)).data, ), {}),
    ((torch.randn(196, generator=G).to(torch.float32).as_strided((28, 7, 1), (1, 28, 1)).data, torch.tensor([3, 3, 1, 2, 5, 7, 6, 7, 4, 6, 4, 2, 5, 6, 3, 2, 6, 7, 7, 2, 7, 2, 6, 1, 4, 1, 7, 5], dtype=torch.int64), torch.tensor([-1.0561221837997437, -1.4426345825195312, 0.8385465145111084, 0.5519179701805115, 0.5368891954421997, -1.0429354906082153, 1.4849821329116821, -0.29424524307250977, 1.0621062517166138, -1.51655912399292, -1.726754069328308, -0.34613263607025146], dtype=torch.float32).reshape((1, 12)).data, ), {}),
    ((torch.randn(63, generator=G).to(torch.float32).as_strided((9, 7, 1), (1, 9, 1)).data, torch.tensor([2, 1, 2, 6, 0, 1, 4, 0, 6], dtype=torch.int64), torch.tensor([1.0135595798492432, -0.13762341439723969, -1.7028387784957886, 0.28505900502204895, 1.0273966789245605, 0.8012233376502991, -1.001461148262024, -0.7810457944869995, -1.1185715198516846, -1.012294054031372, -1.2491416931152344, 0.36887067556381226], dtype=torch.float32).reshape((1, 12)).data, ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 3, 1)).data, torch.tensor([], dtype=torch.int64), torch.tensor([0.2340930849313736, -1.3568605184555054, -0.8503351211547852, -1.731434941291809, -0.09960661083459854, -0.9435275793075562, -0.2894810438156128, 0.2638607919216156, 2.258910655975342, -1.638038158416748, 0.05928206443786621, -0.08712539821863174], dtype=torch.float32).reshape((1, 12)).data, ), {}),
    ((torch.tensor([1.3257417678833008, 0.07054787874221802, 1.8701823949813843, 0.7799683809280396], dtype=torch.float32).as_strided((2, 2, 1), (1, 2, 1)).data, torch.tensor([0, 0], dtype=torch.int64), torch.tensor([-0.8422930836677551, -0.833079993724823, -0.09421931952238083, 0.9488962888717651, -0.5602300763130188, -0.86702561378479, 0.3172820806503296, 0.836893618106842, -1.3497729301452637, 0.5758099555969238, 0.7268021702766418, -1.6182841062545776], dtype=torch.float32).reshape((1, 12)).data, ), {}),
    ((torch.tensor([1.162941813468933, 0.5116780400276184, -0.9524039030075073, -0.11696646362543106, 1.523543357849121, -1.7361575365066528, 0.4914654791355133, 0.21789933741092682, 1.9495062828063965, -0.07135061919689178, -0.3080069124698639, 1.0578666925430298, -0.5209693312644958, 1.341357946395874, 0.28783267736434937, -0.7930246591567993, -0.1261574625968933, 1.2237857580184937, 0.42765143513679504, 1.5943328142166138, -0.06957552582025528, 0.7102510333061218, 0.429997980594635, 0.7393701076507568, -0.9725459218025208, -0.6118902564048767], dtype=torch.float32).as_strided((2, 13, 1), (1, 2, 1)).data, torch.tensor([7, 1], dtype=torch.int64), torch.tensor([-0.2377747893333435, -2.7761337757110596, 0.8233800530433655, 0.43596896529197693, 0.4155450761318207, 0.3403991758823395, -2.5430562496185303, -1.014073371887207, -0.026750905439257622, 0.4655615985393524, 1.456868290901184, 0.1317109763622284], dtype=torch.float32).reshape((1, 12)).data, ), {}),
    ((torch.randn(168, generator=G).to(torch.float32).as_strided((24, 7, 1), (1, 24, 1)).data, torch.tensor([5, 7, 7, 2, 5, 0, 4, 7, 0, 7, 4, 2, 4, 1, 7, 0, 7, 2, 2, 3, 6, 0, 5, 4], dtype=torch.int64), torch.tensor([0.33501118421554565, 0.5937832593917847, -0.030507061630487442, -0.8603637218475342, 0.9595710039138794, -0.02455785684287548, 0.014997226186096668, -0.46474215388298035, -0.6723939776420593, -1.139404535293579, -0.2697114944458008, 1.42539644241333], dtype=torch.float32).reshape((1, 12)).data, ), {}),
    ((torch.tensor([-1.3120427131652832, 0.9950383305549622, -0.2563847601413727, -0.611987292766571], dtype=torch.float32).as_strided((2, 2, 1), (1, 2, 1)).data, torch.tensor([2, 0], dtype=torch.int64), torch.tensor([0.29246488213539124, 0.21606673300266266, 1.2456426620483398, 0.03421780839562416, 1.401092529296875, 1.4565359354019165, 0.6083495616912842, -1.519866943359375, -0.14449629187583923, 0.09877233952283859, 0.025066256523132324, -0.8599191904067993], dtype=torch.float32).reshape((1, 12)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
