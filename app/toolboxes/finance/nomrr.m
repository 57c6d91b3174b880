function r = nomrr(rate, n)
% r = nomrr(rate, n): the nominal yearly rate, compounded n times a year, of an effective one.
r = ((1 + rate).^(1./n) - 1).*n;
end
