"""TTIR to LLVM IR: loops over lanes, every access checked."""
