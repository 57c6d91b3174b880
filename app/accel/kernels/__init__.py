"""WGSL generators: a kernel request goes in, shader text and the shape of its bindings come out."""
