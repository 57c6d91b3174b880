"""Programs of eight fields as people write them, beside torch, each in processes of its own."""
