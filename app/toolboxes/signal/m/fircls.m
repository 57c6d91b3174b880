function h = fircls(n, f, amplitude, up, lo, design)
% h = fircls(n, f, amplitude, up, lo): a linear-phase filter of order n that is nearest in the least
%   squares to bands of constant amplitude, with its response between lo and up in each of them. The
%   edges f begin with 0, end with 1 and have an element more than the other vectors.
%   fircls(..., 'trace'): the largest excess of every pass; 'plots', 'both': the responses, too.
%   Method: exchange of constraints, after I. W. Selesnick, M. Lang and C. S. Burrus, IEEE Trans.
%   Signal Processing 44 (1996) 1879-1892.
if nargin < 6, design = ''; end
if ~isempty(design), design = validatestring(design, {'trace', 'plots', 'both'}, 'fircls'); end
count = numel(f) - 1;
if count < 1 || any([numel(amplitude) numel(up) numel(lo)] ~= count)
    error('signal:fircls:InvalidDimensions', ...
        'amplitude, up and lo need an element for each of the %d bands.', max(count, 1));
elseif f(1) ~= 0 || f(end) ~= 1 || any(diff(f) <= 0)
    error('signal:fircls:InvalidRange', 'The edges must rise from 0 to 1.');
elseif any(up(:) < lo(:)) || any(up(:) < amplitude(:)) || any(lo(:) > amplitude(:))
    error('signal:fircls:InvalidRange', 'Every amplitude must lie between lo and up.');
end
if mod(n, 2) && up(end) ~= 0 && lo(end) > 0
    warning('signal:fircls:OddOrder', ...
        'Filters of odd order are zero at the highest frequency: the order is raised by one.');
    n = n + 1;
end
h = constrained_least_squares(n, f(:)', amplitude(:)', up(:)', lo(:)', design);
end
