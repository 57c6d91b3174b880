function b = de2bi(d, varargin)
% b = de2bi(d): binary digits of whole numbers, one row for each, the lowest first.
%   de2bi(d, n): n digits. de2bi(d, n, p): to the base p. de2bi(..., 'left-msb'): the highest first.
[n, base, flag] = deal([], 2, 'right-msb');
numbers = {};
for k = 1:numel(varargin)
    if ischar(varargin{k}) || isstring(varargin{k})
        flag = validatestring(varargin{k}, {'right-msb', 'left-msb'}, 'de2bi');
    else
        numbers{end + 1} = varargin{k};
    end
end
if numel(numbers) > 0
    n = numbers{1};
end
if numel(numbers) > 1
    base = numbers{2};
end
d = double(d(:));
if any(d < 0 | d ~= round(d) | ~isfinite(d))
    error('comm:de2bi:InvalidInput', 'The numbers must be whole and nonnegative.');
end
need = 1;
while any(d >= base^need)
    need = need + 1;
end
if isempty(n)
    n = need;
elseif n < need
    error('comm:de2bi:InsufficientDigits', '%d digits are too few; %d are needed.', n, need);
end
b = mod(floor(d./base.^(0:n - 1)), base);
if strcmp(flag, 'left-msb')
    b = fliplr(b);
end
end
