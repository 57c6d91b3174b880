"""Graph nodes from MATLAB operations: class rules, casts, guards."""
