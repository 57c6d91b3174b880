z = 3 + 4i;
abs(z), real(z), imag(z), conj(z)
angle(1i) == pi / 2
isreal(z), iscomplex(z)
