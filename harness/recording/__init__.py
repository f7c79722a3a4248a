"""Recording: with what a program really called its compiled functions and Triton kernels, as a file that replays.

What is imported in the program itself (`hooks`, `recorder`, `call_key`, `part`, `start`) needs neither torch nor
pydantic; what reads and merges (`model`, `merging`, `session`) does.
"""
