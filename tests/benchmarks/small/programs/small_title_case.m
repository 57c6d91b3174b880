function r = small_title_case()
s = repmat('some words here ', 1, 30); w = strsplit(strtrim(s)); for k = 1:numel(w), w{k}(1) = upper(w{k}(1)); end
r = sum(strjoin(w, ' ') < 'a');
end
