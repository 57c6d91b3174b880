function y = gauss2mf(x, p)
% y = gauss2mf(x, [sigma1 c1 sigma2 c2]): a Gaussian curve up to c1, 1 to c2, another curve from there.
left = ones(size(x));
right = left;
left(x < p(2)) = gaussmf(x(x < p(2)), p(1:2));
right(x > p(4)) = gaussmf(x(x > p(4)), p(3:4));
y = left.*right;
end
