function j = edgetaper(a, psf)
% j = edgetaper(I, psf): the image with edges that are blurred, so that a transform does not ring.
x = im2double(a);
blurred = real(ifft2(psf2otf(psf/sum(psf(:)), size(x)).*fft2(x)));
alpha = 1;
for d = 1:2
    p = sum(psf, 3 - d);
    n = size(x, d) - 1;
    c = real(ifft(abs(fft(p(:), n)).^2));
    c = [c; c(1)]/max(c);
    if d == 1, alpha = alpha.*(1 - c); else, alpha = alpha.*(1 - c'); end
end
j = alpha.*x + (1 - alpha).*blurred;
if ~isfloat(a), j = cast(j*double(intmax(class(a))), class(a)); end
end
