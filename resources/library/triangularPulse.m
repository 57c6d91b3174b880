function y = triangularPulse(varargin)
% y = triangularPulse(x), triangularPulse(a, c, x), triangularPulse(a, b, c, x): rises from 0 at a (-1) to 1 at b (the
%   middle) and falls to 0 at c (1).
x = varargin{end};
switch nargin
    case 1, [a, b, c] = deal(-1, 0, 1);
    case 3, [a, c] = varargin{1:2}; b = (a + c)/2;
    case 4, [a, b, c] = varargin{1:3};
    otherwise, error('MATLAB:minrhs', 'Not enough input arguments.');
end
y = max(min((x - a)./(b - a), (c - x)./(c - b)), 0);
y(x == b) = 1;
y(isnan(x)) = NaN;
end
