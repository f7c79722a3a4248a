# programs, draft_export.auto on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0, u1} not in returned outputs FakeTensor(..., size=(s33, s50), dtype=torch.float64) ((s50, 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6_gates = F.linear(x0, x2, x4) + F.linear(x1, x3)
    v6_i, v6_f, v6_g, v6_o = v6_gates.unflatten(-1, (4, -1)).unbind(-2)
    v6_cell = v6_f.sigmoid() * x1 + v6_i.sigmoid() * v6_g.tanh()
    v6, v7 = (v6_o.sigmoid() * v6_cell.tanh(), v6_cell)
    v8 = x3 / x3.size(-1)
    v9 = F.embedding_bag(x5, v8, torch.arange(0, x5.shape[0], 2, dtype=x5.dtype, device=x5.device), mode='mean')
    v10 = x0 // x0.size(-2)
    return (v6, v7, v9, v10)
reference = program
example = (torch.zeros([18, 18], dtype=torch.float64), torch.zeros(54, dtype=torch.float64).as_strided([18, 3], [1, 18], 0), torch.zeros(216, dtype=torch.float64).as_strided([12, 18], [1, 12], 0), torch.zeros([12, 3], dtype=torch.float64), torch.zeros([12], dtype=torch.float64), torch.zeros([3], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO}, {1: torch.export.Dim.AUTO}, {}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(81, generator=G).to(torch.float64).reshape((9, 9)), torch.tensor([0.1182137057185173, -0.024383854120969772, -2.82136869430542, 0.4047883152961731, 1.13313627243042, -0.6020599603652954, -1.5280026197433472, 0.7091550230979919, -0.41367200016975403, 1.2989649772644043, 0.21835242211818695, 0.2288694530725479, -0.31093207001686096, -2.2290236949920654, -0.6021917462348938, 0.9896960854530334, -1.5334839820861816, 0.24321870505809784, 0.2923681437969208, 1.7845981121063232, 0.33879777789115906, 1.2938804626464844, -1.2138468027114868, 1.242618441581726, -0.48976045846939087, 0.6123909950256348, -0.10864953696727753], dtype=torch.float64).as_strided((9, 3), (1, 9)), torch.randn(108, generator=G).to(torch.float64).as_strided((12, 9), (1, 12)), torch.tensor([-0.7516056299209595, -0.5190021395683289, 1.6828441619873047, -1.2684334516525269, -0.5577175617218018, -0.4721841812133789, -1.0698732137680054, 0.7312202453613281, 2.390230178833008, -0.1431603878736496, 0.26647549867630005, 0.5158533453941345, -1.3819104433059692, -0.3405507206916809, 0.29204919934272766, -1.9294776916503906, -0.26818835735321045, 0.6074228882789612, -1.329565405845642, -1.0729796886444092, -0.4845684766769409, -0.34459352493286133, -0.33544617891311646, 0.7656077742576599, -2.579206943511963, -0.09163075685501099, 0.46782538294792175, -2.0682082176208496, -0.5356026887893677, 0.32129424810409546, 0.24797740578651428, 0.7771317362785339, 2.016876220703125, 0.14401748776435852, 0.3430326581001282, 0.9926902651786804], dtype=torch.float64).reshape((12, 3)), torch.tensor([-1.41590416431427, -1.0301532745361328, -0.9612241387367249, -0.7368020415306091, -0.37301936745643616, 0.5104164481163025, 0.7224164605140686, 0.7669707536697388, 0.9673060774803162, 1.4805856943130493, 1.681068778038025, 2.3178510665893555], dtype=torch.float64), torch.tensor([2, 6, 12], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
