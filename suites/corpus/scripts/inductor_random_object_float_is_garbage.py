# random.Random(0).random() times a tensor: Dynamo traces the value as a float32 scalar and hands over a float64 one, of
# which Inductor's kernel reads four bytes. github.com/pytorch/pytorch/issues/198187, open. 2.11.0, 2.13.0; gone in 2.15.0.
import random
import sys

import torch


def program(x):
    return x * random.Random(0).random()


x = torch.ones(3)
got, want = torch.compile(program)(x), program(x)
print(f"torch {torch.__version__}: got {got[0].item():.3g}, eager gives {want[0].item():.3g}")
sys.exit(0 if torch.allclose(got, want) else 1)
