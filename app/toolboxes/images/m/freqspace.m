function [f1, f2] = freqspace(n, option)
% [f1, f2] = freqspace(n): frequencies of an n-by-n response, in half cycles for each sample.
%   [f1, f2] = freqspace([m n]): f1 for n columns, f2 for m rows; freqspace(..., 'meshgrid'): grids.
%   f = freqspace(n): 0:2/n:1, for n points around the unit circle; freqspace(n, 'whole'): all n.
if nargin < 2, option = ''; end
if nargout < 2
    if isempty(option)
        f1 = 0:2/n:1;
    else
        validatestring(option, {'whole'}, 'freqspace');
        f1 = (0:n - 1) * 2 / n;
    end
    return
end
if isscalar(n), n = [n n]; end
f1 = both_ways(n(2));
f2 = both_ways(n(1));
if ~isempty(option)
    validatestring(option, {'meshgrid'}, 'freqspace');
    [f1, f2] = meshgrid(f1, f2);
end
end

function f = both_ways(n)
f = ((0:n - 1) - floor(n / 2)) * 2 / n;
end
