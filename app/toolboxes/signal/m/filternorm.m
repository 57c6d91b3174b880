function l = filternorm(b, a, p)
% l = filternorm(b, a, p): the norm of a filter: p = 2 (default) of its impulse response, Inf of its response.
if nargin < 3, p = 2; end
if isinf(p)
    l = max(abs(freqz(b, a, 1024)));
elseif p == 2
    l = norm(impz(b, a));
else
    error('signal:filternorm:InvalidNorm', 'The norm must be 2 or Inf.');
end
end
