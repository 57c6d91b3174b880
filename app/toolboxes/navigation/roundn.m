function y = roundn(x, n)
% y = roundn(x, n): the numbers nearest to x that are multiples of 10^n (n = -2: hundredths).
if nargin < 2, n = -2; end
validateattributes(x, {'single', 'double'}, {}, 'roundn', 'X');
validateattributes(n, {'numeric'}, {'scalar', 'real', 'integer'}, 'roundn', 'N');
if n < 0
    p = 10^-n;
    y = round(p*x)/p;
else
    p = 10^n;
    y = p*round(x/p);
end
end
