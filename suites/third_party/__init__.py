"""Published packages of Triton kernels, each kernel held against the PyTorch function that says what it means."""
