# engines, inductor.mark_dynamic on cpu: OVER_BUDGET 2 <= x_TD.size()[0] <= 16 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def reference(x_TD, starts_B, q_DD, k_DD, v_DD, up_DH, down_HD):
    tokens = torch.arange(x_TD.size(0), device=x_TD.device)
    owner_T = (tokens.unsqueeze(1) >= starts_B).sum(1)
    apart_TT = owner_T.unsqueeze(1) != owner_T
    later_TT = tokens > tokens.unsqueeze(1)
    scores = x_TD @ q_DD @ (x_TD @ k_DD).t() * x_TD.size(1) ** (-0.5)
    weights = F.softmax(scores.masked_fill(apart_TT | later_TT, float('-inf')), dim=-1)
    h_TD = x_TD + weights @ (x_TD @ v_DD)
    return h_TD + F.silu(h_TD @ up_DH) @ down_HD
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(reference, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'batch'}, 1: {0: 'count'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([0.47054678201675415, 0.47054678201675415, -0.13626305758953094, -0.13626305758953094, -0.4899507462978363, -0.4899507462978363, 0.04937230050563812], dtype=torch.float64).as_strided((4, 1), (2, 2)).data, torch.tensor([0, 0, 1, 3], dtype=torch.int64), torch.tensor([1.6022716760635376], dtype=torch.float64).reshape((1, 1)).data, torch.tensor([0.5193918347358704], dtype=torch.float64).reshape((1, 1)).data, torch.tensor([-0.3188910484313965], dtype=torch.float64).reshape((1, 1)).data, torch.tensor([1.6934096813201904, -0.8048238158226013, 0.138583704829216, -1.7894619703292847, 0.518135666847229, -0.8603498339653015, -0.8311200737953186, -0.007807022426277399, 0.24267853796482086, -0.8845422863960266, 0.927024781703949, -0.6552806496620178], dtype=torch.float64).reshape((1, 12)).data, torch.tensor([0.4008626937866211, -0.33841049671173096, 0.3346288204193115, -0.20685799419879913, 0.19264955818653107, 0.21950605511665344, -0.28955844044685364, -0.25814288854599, 0.3188926875591278, 0.13510286808013916, 0.17952367663383484, -0.311458945274353], dtype=torch.float64).reshape((12, 1)).data, ), {}),
    ((torch.tensor([1.1522282361984253, 1.1522282361984253, -0.15769600868225098, -0.15769600868225098, -0.3721635341644287, -0.3721635341644287, 0.40042176842689514, 0.40042176842689514, 0.36307576298713684, 0.36307576298713684, -0.4920637309551239, -0.4920637309551239, -0.16101014614105225, -0.16101014614105225, -0.2050851285457611, -0.2050851285457611, 1.4651485681533813, 1.4651485681533813, 2.6453959941864014, 2.6453959941864014, 0.01690012961626053, 0.01690012961626053, 0.7402219772338867, 0.7402219772338867, -0.7633221745491028, -0.7633221745491028, 1.2239062786102295, 1.2239062786102295, 1.349411964416504, 1.349411964416504, -1.088382363319397, -1.088382363319397, 1.5756577253341675], dtype=torch.float64).as_strided((17, 1), (2, 2)).data, torch.tensor([2, 5, 10], dtype=torch.int64), torch.tensor([0.9168798327445984], dtype=torch.float64).reshape((1, 1)).data, torch.tensor([-0.7446412444114685], dtype=torch.float64).reshape((1, 1)).data, torch.tensor([0.9810621738433838], dtype=torch.float64).reshape((1, 1)).data, torch.tensor([0.004062047693878412, -1.3279197216033936, 1.3604577779769897, 0.9040285348892212, -1.284567952156067, -0.4637678861618042, -1.1707243919372559, -0.31431594491004944, -0.03165603429079056, 0.9324213266372681, 1.7645785808563232, 0.5902075171470642], dtype=torch.float64).reshape((1, 12)).data, torch.tensor([-0.12313219904899597, -0.2886093556880951, -0.015295948833227158, 0.14128020405769348, 0.22979187965393066, -0.400704562664032, -0.34137168526649475, -0.2951838970184326, 0.041034068912267685, 0.12457207590341568, 0.6591784954071045, -0.3934919238090515], dtype=torch.float64).reshape((12, 1)).data, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
