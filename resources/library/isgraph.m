function tf = isgraph(text)
% tf = isgraph(text): true for characters that are seen, text by text in cells (Octave's).
if iscell(text)
    tf = cellfun(@isgraph, text, 'UniformOutput', false);
elseif ischar(text) || isstring(text)
    tf = isstrprop(text, 'graphic');
else
    tf = false(size(text));
end
end
