function tf = iscntrl(text)
% tf = iscntrl(text): true for control characters, text by text in cells (Octave's).
if iscell(text)
    tf = cellfun(@iscntrl, text, 'UniformOutput', false);
elseif ischar(text) || isstring(text)
    tf = isstrprop(text, 'cntrl');
else
    tf = false(size(text));
end
end
