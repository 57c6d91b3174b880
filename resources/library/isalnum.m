function tf = isalnum(text)
% tf = isalnum(text): true for letters and digits, text by text in cells (Octave's).
if iscell(text)
    tf = cellfun(@isalnum, text, 'UniformOutput', false);
elseif ischar(text) || isstring(text)
    tf = isstrprop(text, 'alphanum');
else
    tf = false(size(text));
end
end
