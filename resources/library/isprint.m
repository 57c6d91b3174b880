function tf = isprint(text)
% tf = isprint(text): true for characters that are printed, text by text in cells (Octave's).
if iscell(text)
    tf = cellfun(@isprint, text, 'UniformOutput', false);
elseif ischar(text) || isstring(text)
    tf = isstrprop(text, 'print');
else
    tf = false(size(text));
end
end
