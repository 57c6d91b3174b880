function r = small_pascal_lines()
row = 1; lines = {};
for k = 1:14, lines{k} = strtrim(sprintf('%d ', row)); row = [row 0] + [0 row]; end
w = max(cellfun(@length, lines)); r = '';
for k = 1:numel(lines), pad = floor((w - length(lines{k}))/2); r = [r blanks(pad) lines{k} '|']; end
end
