function x = sinewave(m, n, d)
% x = sinewave(m, n, d): the numbers sin(2*pi*(k+d-1)/n) for k from 1 to m, as a column (Octave's).
if nargin < 2 || isempty(n)
    n = m;
end
if nargin < 3
    d = 0;
end
x = sin(((1:m)' + d - 1)*2*pi/n);
end
