"""Kernels of the host as machine code: LLVM assembly from the requests shaders are made from."""
