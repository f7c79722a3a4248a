"""Names that a process of asv's and the ones that it starts share."""

CHECKOUT = "EAGERDIFF_CHECKOUT"
"""Variable: the folder of the commit that is measured."""
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""One thread and one order of sets: what is counted is the same each time."""
