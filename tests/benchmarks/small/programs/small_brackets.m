function r = small_brackets()
s = repmat('([]{()})', 1, 60); st = ''; r = 0;
for k = 1:numel(s), c = s(k); if any(c == '([{'), st(end+1) = c; else, st(end) = []; r = r + numel(st); end, end
end
