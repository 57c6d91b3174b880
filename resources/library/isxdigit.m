function tf = isxdigit(text)
% tf = isxdigit(text): true for hexadecimal digits, text by text in cells (Octave's).
if iscell(text)
    tf = cellfun(@isxdigit, text, 'UniformOutput', false);
elseif ischar(text) || isstring(text)
    tf = isstrprop(text, 'xdigit');
else
    tf = false(size(text));
end
end
