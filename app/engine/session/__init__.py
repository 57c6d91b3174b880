"""A session: one interpreter, one accelerator, one workspace; requests in, events out."""
