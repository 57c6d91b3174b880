"""Labels set in type: TeX and LaTeX markup as boxes with a base line."""
