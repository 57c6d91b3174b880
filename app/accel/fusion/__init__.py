"""Which nodes become one kernel: simplification, partition, index maps, lowering, loops."""
