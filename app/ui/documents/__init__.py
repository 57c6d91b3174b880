"""Live scripts as documents: text set in type, cells of code, outputs in place, controls."""
