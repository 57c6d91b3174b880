function lsf = poly2lsf(a)
% lsf = poly2lsf(a): the line spectral frequencies, from 0 to pi, of a prediction polynomial.
a = a(:)/a(1);
if max(abs(roots(a))) >= 1, error('signal:poly2lsf:SignalErr', 'The polynomial must have all roots inside the unit circle.'); end
p = numel(a) - 1;
plus = [a; 0] + [0; a(end:-1:1)];
minus = [a; 0] - [0; a(end:-1:1)];
if mod(p, 2)
    minus = deconv(minus, [1 0 -1]);
else
    minus = deconv(minus, [1 -1]);
    plus = deconv(plus, [1 1]);
end
w = angle([roots(plus); roots(minus)]);
lsf = sort(w(w > 0));
end
