function s = undo_string_escapes(s)
% s = undo_string_escapes(s): special characters as the escapes that stand for them (Octave's).
if ~ischar(s)
    error('undo_string_escapes:invalidType', 'The input of undo_string_escapes must be text.');
end
codes = {'\', '\\'; '"', '\"'; char(7), '\a'; char(8), '\b'; char(12), '\f'; char(10), '\n'; char(13), '\r'; ...
    char(9), '\t'; char(11), '\v'; char(0), '\0'};
for k = 1:size(codes, 1)
    s = strrep(s, codes{k, 1}, codes{k, 2});
end
end
