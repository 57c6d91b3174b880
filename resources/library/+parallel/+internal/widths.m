function w = widths(n, k)
% How many of n columns or rows each of k workers has.
w = repmat(floor(n/k), 1, k);
w(1:mod(n, k)) = w(1:mod(n, k)) + 1;
end
