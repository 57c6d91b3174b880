% oracle: complex numbers are displayed in MATLAB form
z = 3 + 4i; disp(abs(z)); disp(real(z)); disp(imag(z)); disp(conj(z)); disp(z * z); disp(z'); disp([z 1].'); disp(sqrt(-4)); disp((-8) ^ (1/3)); disp(isreal(z)); disp(isreal(z * conj(z))); disp(1i ^ 2); disp(exp(1i * pi)); x = [1 2]; x(2) = 1i; disp(x); disp(angle(1i)); w = complex(1, 0); disp(isreal(w)); disp(z == 3 + 4i);
