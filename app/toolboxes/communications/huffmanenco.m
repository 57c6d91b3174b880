function code = huffmanenco(x, dict)
% code = huffmanenco(x, dict): a signal in the bits of a code of huffmandict.
parts = cell(1, numel(x));
for k = 1:numel(x)
    if iscell(x), item = x{k}; else, item = x(k); end
    place = find(cellfun(@(s) isequal(s, item), dict(:, 1)), 1);
    if isempty(place), error('comm:huffmanenco:MissingSymbol', 'A symbol is not in the dictionary.'); end
    parts{k} = dict{place, 2}(:)';
end
code = [parts{:}];
if iscolumn(x) && ~isscalar(x), code = code'; end
end
