"""Drawn code written anew, with what it means left as it is: in parts, with graph breaks, as a module with a state."""
