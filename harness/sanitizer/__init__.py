"""The sanitizer: anybody's program that launches Triton kernels, run on the host device with every check on."""
