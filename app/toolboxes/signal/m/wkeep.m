function y = wkeep(x, len, part)
% y = wkeep(x, len, part): the part of length len of a vector or a matrix: 'c', 'l', 'r' or its first place.
if nargin < 3, part = 'c'; end
if isscalar(len) && isrow(x), len = [1 len]; elseif isscalar(len), len = [len 1]; end
if ~isvector(x) && numel(len) ~= 2
    error('wavelet:wkeep:InvalidLength', 'A matrix needs a number of rows and of columns.');
end
len = min(len, size(x));
if ischar(part) || isstring(part)
    spare = size(x) - len;
    switch lower(char(part))
        case 'c', first = 1 + floor(spare/2);
        case 'l', first = [1 1];
        case 'r', first = 1 + spare;
        otherwise, error('wavelet:wkeep:InvalidPart', 'The part must be ''c'', ''l'', ''r'' or the first place.');
    end
else
    first = ones(1, 2);
    if isrow(x), first(2) = part(end); elseif isscalar(part), first(1) = part; else, first = part(1:2); end
end
y = x(first(1):first(1) + len(1) - 1, first(2):first(2) + len(2) - 1);
end
