"""Triton's interpreter, corrected and watched: hand-written kernels and Inductor's GPU code without a GPU."""
