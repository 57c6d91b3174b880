function [beta, v, r] = gls(y, x, o)
% [beta, v, r] = gls(y, x, o): least squares of y = x*beta + e where e has the covariance v*o (Octave's).
[count, outputs] = size(y);
if size(x, 1) ~= count
    error('gls:sizes', 'The first two inputs of gls must have as many rows.');
end
if any(size(o) ~= count*outputs)
    error('gls:sizes', 'The covariance must have a row and a column for each element of the first input.');
end
o = o^(-1/2);
z = o * kron(eye(outputs), x);
beta = reshape(z \ (o*y(:)), size(x, 2), outputs);
r = y - x*beta;
w = o*r(:);
v = w.'*w / (count*outputs - rank(x));
end
