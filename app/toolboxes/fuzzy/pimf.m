function y = pimf(x, p)
% y = pimf(x, [a b c d]): an S-shaped curve from a to b, and a Z-shaped one from c to d.
y = smf(x, p(1:2)).*zmf(x, p(3:4));
end
