function y = dst(x, n)
% y = dst(x): discrete sine transform of a vector or of the columns of a matrix.
%   dst(x, n): n values of each column, cut off or filled up with zeros.
%   y(k) = sum(x(j)*sin(pi*k*j/(n + 1)))
row = isrow(x);
if row
    x = x.';
end
if nargin > 1
    x(end + 1:n, :) = 0;
    x = x(1:n, :);
end
[n, m] = size(x);
odd = fft([zeros(1, m); x; zeros(1, m); -x(n:-1:1, :)]);
y = 0.5i*odd(2:n + 1, :);
if isreal(x)
    y = real(y);
end
if row
    y = y.';
end
end
