function [p, num] = seqperiod(x)
% [p, num] = seqperiod(x): the least period of a sequence, and how often it repeats; columns are sequences.
if isvector(x), x = x(:); end
p = zeros(1, size(x, 2));
for c = 1:size(x, 2)
    v = x(:, c);
    for k = 1:numel(v)
        if isequal(v(1:end - k), v(k + 1:end)), p(c) = k; break, end
    end
end
num = size(x, 1)./p;
end
