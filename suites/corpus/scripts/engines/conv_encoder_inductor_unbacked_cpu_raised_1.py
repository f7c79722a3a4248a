# engines, inductor.unbacked on cpu: RAISED AssertionError: expected size 4==4, stride 1==4 at dim=1; expected size 2==2, stride 8==2 at dim=2; expected size 2==2, stride 4==1 at dim=3
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def reference(x_BCS, first, second, norm, head):
    x = F.conv2d(x_BCS.unsqueeze(-1) * x_BCS.unsqueeze(-2), first, stride=2, padding=1)
    x = F.relu(F.group_norm(x, 2, norm))
    x = F.relu(F.conv2d(F.interpolate(x, scale_factor=2.0, mode='nearest'), second, padding=1))
    return x.mean((2, 3)) @ head
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(reference, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'batch', 2: 'seq'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-0.11315178871154785, 0.4631114900112152, 0.3338044583797455, 1.6443167924880981, -1.2534804344177246, -0.05916036665439606], dtype=torch.float32).reshape((2, 3, 1)).data, torch.randn(108, generator=G).to(torch.float32).reshape((4, 3, 3, 3)).data, torch.randn(144, generator=G).to(torch.float32).reshape((4, 4, 3, 3)).data, torch.tensor([1.1878496408462524, 1.2247393131256104, -0.8521193861961365, -1.1940935850143433], dtype=torch.float32), torch.tensor([0.27940165996551514, 0.39587923884391785, -0.09233788400888443, -0.36588624119758606, -0.04032595828175545, -0.4900303781032562, 0.030245734378695488, -0.2444773018360138, -0.4068656265735626, 0.4099974036216736, -0.3165867030620575, 0.6473773717880249, 0.7314146161079407, -0.3102168142795563, 0.4941946268081665, -0.21608906984329224, -0.3116094470024109, -0.10812266916036606, -0.24433772265911102, 0.3934779763221741, 0.05379536375403404, -0.5357388257980347, -0.05832388252019882, -0.5084853768348694, -0.5989891886711121, 0.23921887576580048, -0.6147621870040894, -0.6850181818008423, 0.7717708945274353, -0.0166034996509552, -0.20931318402290344, -0.12779836356639862, -0.06461521238088608, -0.027297377586364746, 0.20417337119579315, 0.5631829500198364, 0.9675287008285522, 0.5038425326347351, 0.5023208260536194, -0.21675989031791687, -0.6212988495826721, 0.6422750353813171, 0.12188614159822464, 0.26518431305885315, -0.0072653647512197495, -1.117859125137329, 0.7330150604248047, -0.6095290780067444], dtype=torch.float32).reshape((4, 12)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
