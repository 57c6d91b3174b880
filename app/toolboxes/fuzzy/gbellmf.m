function y = gbellmf(x, p)
% y = gbellmf(x, [a b c]): the bell 1/(1 + |(x - c)/a|^(2b)).
y = 1./(1 + abs((x - p(3))/p(1)).^(2*p(2)));
end
