function y = psigmf(x, p)
% y = psigmf(x, [a1 c1 a2 c2]): the product of two sigmoids.
y = sigmf(x, p(1:2)).*sigmf(x, p(3:4));
end
