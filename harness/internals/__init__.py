"""What eagerdiff reaches for in private parts of torch, Triton and Hypothesis: one file a thing, and no other room.

Importing a file of this room costs nothing: a name is looked up when it is asked for, and where it is gone the error is
one line that says for which releases it was there. `inventory.HOOKS` lists all; `eagerdiff doctor` asks each.
"""
