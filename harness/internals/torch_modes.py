"""How many modes of torch are in force: each stands between a call and what it does."""

from eagerdiff.harness.internals.hook import Hook

_WHY = "tells a call that left a mode behind"
HOOKS = {
    "function": Hook("torch", "torch._C:_len_torch_function_stack", _WHY, since="2.1"),
    "dispatch": Hook("torch", "torch._C:_len_torch_dispatch_stack", _WHY, since="2.1"),
    "included": Hook("torch", "torch._C:_dispatch_tls_local_include_set", _WHY, since="2.1"),
    "excluded": Hook("torch", "torch._C:_dispatch_tls_local_exclude_set", _WHY, since="2.1"),
    "transforms": Hook("torch", "torch._C._functorch:get_interpreter_stack", _WHY, since="2.1"),
}


def modes_in_force() -> tuple[int, int, int]:
    """Return how many modes of functions (a default device is one), of dispatch, and transforms this thread is in.

    A transform is one of `torch.func`: within `vmap` random numbers are refused, and sizes are not what they seem.
    """
    transforms = HOOKS["transforms"].reach()() or ()  # None outside any
    return HOOKS["function"].reach()(), HOOKS["dispatch"].reach()(), len(transforms)


def dispatch_keys() -> tuple[int, int]:
    """Return the dispatch keys that this thread adds to each call, and those that it leaves out, as sets of bits.

    A call that fails while it is traced may leave one behind whose state is gone: every later call then fails.
    """
    return HOOKS["included"].reach()().raw_repr(), HOOKS["excluded"].reach()().raw_repr()
