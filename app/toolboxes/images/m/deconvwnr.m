function j = deconvwnr(a, psf, nsr, icorr)
% j = deconvwnr(I, psf, nsr): an image sharpened by Wiener's filter; nsr (0): the noise's power over the signal's.
%   deconvwnr(I, psf, ncorr, icorr): from the autocorrelations of noise and image.
if nargin < 3, nsr = 0; end
x = im2double(a);
h = psf2otf(psf, size(x));
if nargin > 3
    nsr = abs(fftn(nsr, size(x)))./max(abs(fftn(icorr, size(x))), eps);
end
bottom = abs(h).^2 + nsr;
j = real(ifftn(conj(h)./max(bottom, sqrt(eps)).*fftn(x)));
if ~isfloat(a), j = cast(min(max(j, 0), 1)*double(intmax(class(a))), class(a)); end
end
