"""Caches of compiled graphs, off: a graph taken from disk would be a compilation that nobody counts."""


def switch_off() -> None:
    """Make Inductor and AOTAutograd compile every graph anew; generated C++ is still kept by its content."""
    import torch._functorch.config as functorch
    import torch._inductor.config as inductor

    inductor.fx_graph_cache = False
    inductor.autotune_local_cache = False
    functorch.enable_autograd_cache = False
