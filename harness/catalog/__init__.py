"""The catalog: the operators and implementations there are, shipped and plugged in, and whether they can be used."""
