(1 + 2i) / (3 - 4i)
2 ^ (1i)
abs(exp(1i * pi) + 1) < 1e-15
