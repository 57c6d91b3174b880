function r = rc2ac(k, r0)
% r = rc2ac(k, r0): the autocorrelation with these reflection coefficients and the value r0 at lag zero.
r = rlevinson(rc2poly(k), r0*prod(1 - abs(k(:)).^2));
end
