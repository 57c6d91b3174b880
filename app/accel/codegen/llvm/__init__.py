"""LLVM assembly for maps and reductions on the host."""
