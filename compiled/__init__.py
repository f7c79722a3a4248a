"""What is under test: kernels, and ways of compiling."""
