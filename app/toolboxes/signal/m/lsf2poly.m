function a = lsf2poly(lsf)
% a = lsf2poly(lsf): the prediction polynomial with these line spectral frequencies.
lsf = sort(lsf(:));
if any(lsf < 0 | lsf > pi), error('signal:lsf2poly:InvalidRange', 'The frequencies must be from 0 to pi.'); end
p = numel(lsf);
z = exp(1i*lsf);
minus = z(2:2:end);
plus = z(1:2:end);
plus = real(poly([plus; conj(plus)]));
minus = real(poly([minus; conj(minus)]));
if mod(p, 2)
    minus = conv(minus, [1 0 -1]);
else
    minus = conv(minus, [1 -1]);
    plus = conv(plus, [1 1]);
end
a = (plus + minus)/2;
a = a(1:end - 1);
end
