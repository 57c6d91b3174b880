function d = dftmtx(n)
% d = dftmtx(n): the matrix of the discrete Fourier transform, fft(x) == dftmtx(n)*x.
d = fft(eye(n));
end
