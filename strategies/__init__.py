"""What to draw: cases, sizes, and the tensors that have them."""
