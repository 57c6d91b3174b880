function r = small_expression_parser()
s = repmat('1+2*3-4*5+', 1, 20); s = [s '6']; r = 0; t = 1; n = 0; sg = 1;
for k = 1:numel(s), c = s(k); if c >= '0' && c <= '9', n = n*10 + (c - '0'); elseif c == '*', t = t*n; n = 0; else, r = r + sg*t*n; t = 1; n = 0; if c == '-', sg = -1; else, sg = 1; end, end, end
r = r + sg*t*n;
end
