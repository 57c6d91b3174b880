"""From kernel requests to source text: WGSL and LLVM, elementary functions, algorithms."""
