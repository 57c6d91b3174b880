% oracle: hexadecimal literals are unsigned
1e3, .5, 1., 1E-2, 0x1F + 0, 3i, 1e3i, 2.5e+1
