"""Grids that other projects publish: the parameter tables of their tests, expanded as those tests expand them."""
