function r = small_word_count()
s = repmat('the quick brown fox jumps over the lazy dog ', 1, 12); w = strsplit(strtrim(s), ' '); u = unique(w); r = 0;
for k = 1:numel(u), r = r + k*sum(strcmp(w, u{k})); end
end
