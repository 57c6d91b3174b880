function y = rectangularPulse(varargin)
% y = rectangularPulse(x), rectangularPulse(a, b, x): 1 between a and b (-1/2 and 1/2), 1/2 at them, 0 outside.
[a, b] = deal(-0.5, 0.5);
if nargin == 3, [a, b] = varargin{1:2}; elseif nargin ~= 1, narginchk(3, 3); end
x = varargin{end};
y = double(x > a & x < b) + 0.5*((x == a) ~= (x == b));
y(isnan(x)) = NaN;
end
