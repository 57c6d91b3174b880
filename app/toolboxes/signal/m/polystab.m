function b = polystab(a)
% b = polystab(a): the polynomial whose roots outside the unit circle are reflected into it.
v = roots(a);
outside = abs(v) > 1;
v(outside) = 1./conj(v(outside));
first = find(a ~= 0, 1);
b = a(first)*poly(v);
if isreal(a), b = real(b); end
end
