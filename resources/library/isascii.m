function tf = isascii(text)
% tf = isascii(text): true for characters of ASCII, text by text in cells (Octave's).
if iscell(text)
    tf = cellfun(@isascii, text, 'UniformOutput', false);
elseif ischar(text) || isstring(text)
    tf = isstrprop(text, 'ascii');
else
    tf = false(size(text));
end
end
