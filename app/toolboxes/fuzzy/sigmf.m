function y = sigmf(x, p)
% y = sigmf(x, [a c]): the sigmoid 1/(1 + exp(-a*(x - c))).
y = 1./(1 + exp(-p(1)*(x - p(2))));
end
