function y = dsigmf(x, p)
% y = dsigmf(x, [a1 c1 a2 c2]): the distance of two sigmoids.
y = abs(sigmf(x, p(1:2)) - sigmf(x, p(3:4)));
end
