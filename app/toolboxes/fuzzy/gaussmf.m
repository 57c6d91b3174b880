function y = gaussmf(x, p)
% y = gaussmf(x, [sigma c]): a Gaussian curve with the width sigma and its top, 1, at c.
y = exp(-(x - p(2)).^2/(2*p(1)^2));
end
