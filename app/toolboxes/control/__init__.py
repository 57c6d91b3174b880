"""Linear systems: transfer functions, state space, responses and the design of controllers."""
