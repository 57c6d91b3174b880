% Counts of all words of eight letters in a sequence of n bases.
s = uint8(floor(4 * mod((1:n)' * 0.6180339887498949, 1).^1.3));
%% Work
code = zeros(n - 7, 1);
for j = 0:7
    code = 4 * code + double(s(1+j:n-7+j));
end
counts = accumarray(code + 1, 1, [4^8 1]);
freq = counts(counts > 0) / (n - 7);
result = -sum(freq .* log2(freq));
