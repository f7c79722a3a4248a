"""Engines: other compilers and runtimes that take a program of torch.export, each in an environment of its own."""
