function r = small_huffman()
text = repmat('abracadabra alakazam', 1, 5); sym = unique(text); w = zeros(1, numel(sym));
for k = 1:numel(sym), w(k) = sum(text == sym(k)); end
groups = num2cell(1:numel(sym)); len = zeros(1, numel(sym)); ws = w;
while numel(ws) > 1
    [ws, i] = sort(ws); groups = groups(i);
    both = [groups{1} groups{2}]; len(both) = len(both) + 1;
    ws = [ws(1) + ws(2), ws(3:end)]; groups = [{both}, groups(3:end)];
end
r = sum(w .* len);
end
