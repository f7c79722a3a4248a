# engines, inductor.dynamic on cpu: OVER_BUDGET x_BSD.size()[1] + w_DH.size()[1] > 32 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def reference(x_BSD, w_DH, b_H, v_HD):
    return F.gelu(x_BSD @ w_DH + b_H) @ v_HD
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(reference, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(128, generator=G).to(torch.float16).reshape((1, 128, 1)).data, torch.tensor([0.48779296875, 2.4921875, -0.10589599609375, 1.0908203125, -0.68798828125, 0.94384765625, 0.12078857421875, -0.436767578125, -0.521484375, -0.78125, -0.383544921875, 0.76953125], dtype=torch.float16).reshape((1, 12)).data, torch.tensor([1.0908203125, -1.5556640625, -0.06597900390625, 1.5322265625, -0.4443359375, 0.90087890625, 0.46435546875, 0.270263671875, -0.278076171875, -1.162109375, 2.625, -0.154052734375], dtype=torch.float16), torch.tensor([0.0574951171875, -0.08380126953125, -0.0836181640625, -0.69677734375, 0.34423828125, 0.459716796875, 0.257568359375, -0.462890625, -0.0843505859375, 0.0008883476257324219, -0.04571533203125, 0.2034912109375], dtype=torch.float16).reshape((12, 1)).data, ), {}),
    ((torch.tensor([-0.93017578125, 1.0947265625, 0.57763671875, -0.3876953125], dtype=torch.float16).reshape((1, 4, 1)).data, torch.tensor([-0.361328125, -0.494384765625, 0.1878662109375, -1.1748046875, 2.36328125, 1.005859375, 2.814453125, -2.541015625, -0.271240234375, -1.4677734375, 0.369873046875, -0.52685546875], dtype=torch.float16).reshape((1, 12)).data, torch.tensor([-0.48974609375, -0.2015380859375, -0.67578125, 0.69873046875, -0.1395263671875, -0.57177734375, 0.9990234375, -0.78662109375, -0.74609375, 1.888671875, -0.65283203125, -0.97900390625], dtype=torch.float16), torch.tensor([-0.08868408203125, -0.179443359375, 0.478515625, -0.1512451171875, 0.1678466796875, -0.086669921875, 0.038360595703125, -0.1502685546875, -0.2008056640625, 0.51904296875, -0.0003769397735595703, 0.2342529296875], dtype=torch.float16).reshape((12, 1)).data, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
