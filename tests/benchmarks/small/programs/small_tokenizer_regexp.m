function r = small_tokenizer_regexp()
src = 'x = 3.5*(y + 42) - foo(1, 2)^2; z = x / 7;'; r = 0;
for k = 1:15
    [tok, kind] = regexp(src, '([A-Za-z_]\w*)|(\d+\.?\d*)|([-+*/^=();,])', 'match', 'start');
    for j = 1:numel(tok), t = tok{j}; if isletter(t(1)), r = r + 1; elseif any(t(1) == '0123456789'), r = r + str2double(t); end, end
end
r = r + sum(kind);
end
