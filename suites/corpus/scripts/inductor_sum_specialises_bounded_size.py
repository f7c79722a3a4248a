# A size that is declared dynamic up to 8192 is summed over: Inductor's C++ asks whether it is 4096 at most, to choose
# how it adds up (need_use_acc_helper), and then refuses the range that was declared.
import sys
import torch

numbers = torch.randn(100)
torch._dynamo.mark_dynamic(numbers, 0, min=2, max=8192)
try:
    total = torch.compile(torch.sum)(numbers)
except torch.fx.experimental.symbolic_shapes.ConstraintViolationError as error:
    sys.exit(str(error).splitlines()[1].strip())
torch.testing.assert_close(total, numbers.sum())
