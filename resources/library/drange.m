function part = drange(first, step, last)
% The part of a range that this worker of an spmd block takes: for k = drange(1, 10), drange(1:10).
if nargin == 1
    whole = first;
elseif nargin == 2
    whole = first:step;
else
    whole = first:step:last;
end
w = parallel.internal.widths(size(whole, 2), spmdSize);
ends = cumsum(w);
part = whole(:, ends(spmdIndex) - w(spmdIndex) + 1:ends(spmdIndex));
end
