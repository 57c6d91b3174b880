function [words, added, shape] = words_of(x, k, decimal, name)
% A message as rows of k bits, the zeros added to its end, and a function that gives other words of
% this message the same form.
x = double(x);
added = 0;
if decimal
    if any(x(:) < 0 | x(:) ~= fix(x(:)) | x(:) >= 2^k)
        error(['comm:' name ':InvalidMsg'], 'Words must be whole numbers from 0 to %d.', 2^k - 1);
    end
    words = double(reshape(bitget(repmat(x(:), 1, k), repmat(1:k, numel(x), 1)), [], k));
    back = @(bits) bits*2.^(0:size(bits, 2) - 1)';
    if isrow(x) && ~isscalar(x), shape = @(bits) back(bits)'; else, shape = back; end
    return
end
if any(x(:) ~= 0 & x(:) ~= 1)
    error(['comm:' name ':InvalidMsg'], 'Words must consist of zeros and ones; ''/decimal'' takes numbers.');
end
if ~isvector(x)
    if size(x, 2) ~= k, error(['comm:' name ':InvalidMsg'], 'The rows must have %d bits.', k); end
    words = x;
    shape = @(bits) bits;
    return
end
added = mod(-numel(x), k);
words = reshape([x(:); zeros(added, 1)], k, [])';
if isrow(x), shape = @(bits) reshape(bits', 1, []); else, shape = @(bits) reshape(bits', [], 1); end
end
