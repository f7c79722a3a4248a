"""What an operator says of the tables that it draws from."""

BACKWARD = "backward"
"""What `Showing.about` names beside an entry where gradients are taken."""
NOT_ON_CPU = "not on a CPU"
"""How the reason begins where an entry is not drawn because eager takes nothing of it on this machine."""
