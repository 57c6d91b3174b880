function r = small_run_length()
s = repmat('aaabbbccd', 1, 40); out = ''; k = 1;
while k <= numel(s), j = k; while j < numel(s) && s(j+1) == s(k), j = j + 1; end, out = [out s(k) sprintf('%d', j-k+1)]; k = j + 1; end
r = numel(out);
end
