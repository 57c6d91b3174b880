function x = huffmandeco(code, dict)
% x = huffmandeco(code, dict): the signal whose bits huffmanenco wrote.
found = {};
held = [];
words = cellfun(@(c) char(c(:)' + '0'), dict(:, 2), 'UniformOutput', false);
table_ = containers.Map(words, 1:numel(words));
text = '';
for b = code(:)'
    text(end + 1) = char(b + '0');
    if isKey(table_, text)
        found{end + 1} = dict{table_(text), 1};
        text = '';
    end
end
if ~isempty(text), error('comm:huffmandeco:InvalidCode', 'The bits end within a code word.'); end
if all(cellfun(@(v) isnumeric(v) && isscalar(v), found)), found = [found{:}]; end
x = found;
if iscolumn(code) && ~isscalar(code), x = x(:); end
end
