# Rows of a padded table are looked up, then its columns, of which there are none: with backed_size_oblivious Dynamo's
# fake tensors compare the bounds of a view with sizes it takes for 2 or more, and the compilation ends.
import sys
import torch
from torch.fx.experimental import _config

def look_up(table, keys, rows):
    columns = torch.arange(table.shape[1] * keys.shape[1]) // keys.shape[1]
    return torch.nn.functional.pad(table, (0, 0, 0, 1))[rows][:, columns]

args = (torch.zeros(2, 0), torch.zeros(2, 5), torch.zeros(3, dtype=torch.long))
with _config.patch(backed_size_oblivious=True):
    try:
        found = torch.compile(look_up, backend="eager", dynamic=True, fullgraph=True)(*args)
    except torch._dynamo.exc.TorchRuntimeError as error:
        sys.exit(f"a table without columns: {str(error).splitlines()[0]}")
torch.testing.assert_close(found, look_up(*args))
