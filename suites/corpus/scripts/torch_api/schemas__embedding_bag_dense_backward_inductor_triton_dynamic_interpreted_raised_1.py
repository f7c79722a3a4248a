# torch_api, inductor_triton.dynamic on interpreted: RAISED IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5):
    v0 = torch.ops.aten._embedding_bag_dense_backward.default(x0, x1, x2, x3, x4, 2, True, 2, x5)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427], dtype=torch.float32), torch.tensor([-1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32), torch.tensor([-0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132], dtype=torch.float32), torch.tensor([0.1227012425661087, -0.5663174986839294, 0.3731146454811096, -0.8919953107833862, -1.5091077089309692], dtype=torch.float32), torch.tensor([0, 1, 0, 1, 1], dtype=torch.int64), torch.tensor([0.8511652946472168, -0.35018303990364075, 1.6881015300750732, -2.1574506759643555, -1.3927414417266846], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
