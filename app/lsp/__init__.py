"""The language server: what the window's editor knows, for any editor (``fuselab lsp``)."""
