function d = fullfact(levels)
% d = fullfact(levels): all combinations of factors with so many levels; the first changes fastest.
levels = levels(:)';
d = zeros(prod(levels), numel(levels));
repeat = 1;
for k = 1:numel(levels)
    d(:, k) = mod(floor((0:prod(levels) - 1)'/repeat), levels(k)) + 1;
    repeat = repeat*levels(k);
end
end
