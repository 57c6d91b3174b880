"""Images: files, colours, filters, shapes, measures."""
