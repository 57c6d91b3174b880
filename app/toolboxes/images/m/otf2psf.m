function psf = otf2psf(otf, shape)
% psf = otf2psf(otf, shape): the point spread function of a transfer function, with its middle in the middle.
if nargin < 2, shape = size(otf); end
wide = circshift(real(ifftn(otf)), floor(shape/2));
place = arrayfun(@(n) 1:n, shape, 'UniformOutput', false);
psf = wide(place{:});
end
