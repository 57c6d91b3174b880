function d = ff2n(n)
% d = ff2n(n): all combinations of n factors that are 0 or 1; the last changes fastest.
d = fliplr(fullfact(2*ones(1, n)) - 1);
end
