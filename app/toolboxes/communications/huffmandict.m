function [dict, len] = huffmandict(symbols, p)
% [dict, len] = huffmandict(symbols, p): a Huffman code: a cell of symbols and their bits; the mean length.
if abs(sum(p) - 1) > 1e-6, error('comm:huffmandict:InvalidProb', 'The probabilities must add up to one.'); end
n = numel(p);
if ~iscell(symbols), symbols = num2cell(symbols); end
codes = cell(n, 1);
groups = num2cell(1:n);
weights = p(:)';
while numel(groups) > 1
    [~, order] = sort(weights, 'descend');
    [a, b] = deal(order(end), order(end - 1));
    for k = groups{a}, codes{k} = [0 codes{k}]; end
    for k = groups{b}, codes{k} = [1 codes{k}]; end
    groups{b} = [groups{b} groups{a}];
    weights(b) = weights(b) + weights(a);
    groups(a) = [];
    weights(a) = [];
end
dict = [symbols(:) codes];
len = sum(cellfun(@numel, codes(:))'.*p(:)');
end
