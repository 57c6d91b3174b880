function tf = ispunct(text)
% tf = ispunct(text): true for punctuation, text by text in cells (Octave's).
if iscell(text)
    tf = cellfun(@ispunct, text, 'UniformOutput', false);
elseif ischar(text) || isstring(text)
    tf = isstrprop(text, 'punct');
else
    tf = false(size(text));
end
end
