"""Names that a process of asv's and the ones that it starts share."""

CHECKOUT = "EAGERDIFF_CHECKOUT"
"""Variable: the folder of the commit that is measured."""
