"""What is installed, what of it this project can use, and why the rest would not run."""
