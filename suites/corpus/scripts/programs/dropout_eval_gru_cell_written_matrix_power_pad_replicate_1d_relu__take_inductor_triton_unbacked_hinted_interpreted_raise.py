# programs, inductor_triton.unbacked+hinted on interpreted: RAISED InductorError: GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 > 1 (unhinted: u0 > 1). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = F.dropout(x0, 0.5, training=False)
    v7 = v6.relu_()
    v8 = F.pad(v6, (2, 2), mode='replicate')
    v9 = torch.linalg.matrix_power(x1, 3)
    v10 = x0.take(x2)
    v11_ri, v11_zi, v11_ni = (x0 @ x4.T).chunk(3, dim=1)
    v11_rh, v11_zh, v11_nh = (x3 @ x5.T).chunk(3, dim=1)
    v11_r, v11_z = (torch.sigmoid(v11_ri + v11_rh), torch.sigmoid(v11_zi + v11_zh))
    v11_new = torch.tanh(v11_ni + v11_r * v11_nh)
    v11 = (1 - v11_z) * v11_new + v11_z * x3
    return (v7, v8, v9, v10, v11)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'a'}, 3: {0: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, hint_override=64)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([-2.0, 0.0, 0.0, 1.0, -2.0, -2.0, -3.0, -2.0, 3.0, 3.0, -3.0, -1.0, -3.0, -2.0, -1.0, 2.0, 2.0, 0.0, -3.0, 3.0, -1.0, 3.0, 1.0, 2.0, -3.0, -2.0, 3.0, 1.0, 0.0, 1.0, -3.0, -1.0, -3.0, 3.0, -2.0, -3.0], dtype=torch.float64).as_strided((9, 4), (1, 9)), torch.tensor([1, 0, 0, 4611686018427387903], dtype=torch.int64).as_strided((2, 2), (1, 2)), torch.tensor([4], dtype=torch.int64), torch.tensor([1.6674370765686035, -1.26682710647583, 0.37174445390701294, 0.15013206005096436, -2.8125531673431396, -0.11520957201719284, 0.40186360478401184, 0.34267541766166687, -1.1028965711593628, 0.2635772228240967, -0.826013445854187, -0.17398062348365784, -1.8579323291778564, -0.4091924726963043, 0.04747573286294937, -0.3953406512737274, 0.8020824193954468, -0.39651885628700256, 0.9682714343070984, 0.5921320915222168, 0.6848277449607849, -1.297837257385254, 1.3863649368286133, 1.9718338251113892, -0.5098785161972046, -0.2782815992832184, 0.1229274645447731], dtype=torch.float64).reshape((9, 3)), torch.tensor([-0.8832111954689026, -1.5617057085037231, -0.5114354491233826, -0.0849633514881134, -1.551106333732605, -0.7115103602409363, -1.934540867805481, -0.9673148393630981, -1.6944429874420166, -0.3791894316673279, -0.5064389109611511, -0.3925102651119232, -0.01944570243358612, -1.2570075988769531, -0.43927082419395447, -0.30998143553733826, 0.45876777172088623, -0.8021037578582764, -0.21495117247104645, 0.6056353449821472, 0.13288307189941406, -0.007217296864837408, -0.6478559374809265, -0.008151782676577568, -0.12951412796974182, 0.5397814512252808, -0.31506165862083435, 2.2259154319763184, 1.7695033550262451, 0.9427976012229919, 2.062680244445801, 0.5779919624328613, 0.1871781200170517, 0.5313805937767029, 2.9620840549468994, 1.7657057046890259], dtype=torch.float64).as_strided((9, 4), (1, 9)), torch.tensor([-1.4248378276824951, -0.4837890863418579, 0.220469668507576, -1.5026766061782837, -0.34800752997398376, 1.3257349729537964, -1.6871345043182373, 0.0798785462975502, 0.24952657520771027, -0.616452157497406, -0.5069645643234253, -0.26120349764823914, -1.0507060289382935, -0.4933515787124634, -0.027989719063043594, 0.3003716766834259, 1.2847553491592407, 1.4702081680297852, 0.3904551565647125, 0.42306771874427795, 1.5918424129486084, -0.47308066487312317, -0.19742374122142792, 0.7084879875183105, -0.7077165246009827, -0.32013410329818726, 0.18030445277690887], dtype=torch.float64).reshape((9, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
