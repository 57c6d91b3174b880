function y = udecode(u, n, v, overflow)
% y = udecode(u, n, v, 'saturate' or 'wrap'): the samples from -v to v (1) that uencode made whole numbers of.
if nargin < 3 || isempty(v), v = 1; end
if nargin < 4, overflow = 'saturate'; end
overflow = validatestring(overflow, {'saturate', 'wrap'}, 'udecode');
signed = strncmp(class(u), 'int', 3);
x = double(u);
low = -signed*2^(n - 1);
if strcmp(overflow, 'wrap'), x = mod(x - low, 2^n) + low; else, x = min(max(x, low), low + 2^n - 1); end
y = 2*v*(x - low)/2^n - v;
end
