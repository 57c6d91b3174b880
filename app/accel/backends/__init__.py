"""Where kernels run: the host, wgpu, and a null backend for tests."""
