function pp = cubic_spline(x, y, s)
% The piecewise cubic with the values y and the slopes s at x.
h = diff(x);
d = diff(y, 1, 2)./h;
c3 = (s(:, 1:end - 1) + s(:, 2:end) - 2*d)./h.^2;
c2 = (3*d - 2*s(:, 1:end - 1) - s(:, 2:end))./h;
coefs = cat(3, c3, c2, s(:, 1:end - 1), y(:, 1:end - 1));
pp = mkpp(x, reshape(coefs, [], 4), size(y, 1));
end
