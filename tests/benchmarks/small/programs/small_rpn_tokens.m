function r = small_rpn_tokens()
lines = {'3 4 + 2 *', '5 1 2 + 4 * + 3 -', '2 3 ^ 4 /', '10 2 8 * + 3 -'}; r = 0;
for k = 1:numel(lines)
    st = []; parts = strsplit(lines{k});
    for j = 1:numel(parts)
        t = parts{j}; n = str2double(t);
        if ~isnan(n), st(end+1) = n; continue, end
        b = st(end); a = st(end-1); st(end-1:end) = [];
        switch t, case '+', st(end+1) = a + b; case '-', st(end+1) = a - b; case '*', st(end+1) = a*b; case '/', st(end+1) = a/b; case '^', st(end+1) = a^b; end
    end
    r = r + k*st;
end
end
