"""What published kernels mean, in plain eager PyTorch: any floating dtype, any device, shapes in each docstring."""
