"""Which kinds of files documents are written as; the command line's help names them."""

from __future__ import annotations

KINDS = (".html", ".pdf", ".md", ".tex", ".ipynb", ".m")
