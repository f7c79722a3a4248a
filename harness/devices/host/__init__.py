"""The device that compiles Triton kernels for this machine's processor."""
