function otf = psf2otf(psf, shape)
% otf = psf2otf(psf, shape): the transfer function of a point spread function whose middle is moved to (1, 1).
if nargin < 2, shape = size(psf); end
if any(shape(1:ndims(psf)) < size(psf)), error('images:psf2otf:invalidSize', 'The size must not be less than that of PSF.'); end
wide = zeros(shape);
place = arrayfun(@(n) 1:n, size(psf), 'UniformOutput', false);
wide(place{:}) = psf;
otf = fftn(circshift(wide, -floor(size(psf)/2)));
if all(abs(imag(otf(:))) <= eps*numel(psf)*max(abs(otf(:)))), otf = real(otf); end
end
