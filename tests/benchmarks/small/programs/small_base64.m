function r = small_base64()
abc = ['A':'Z' 'a':'z' '0':'9' '+/']; text = repmat('Many hands make light work. ', 1, 3); d = double(text); r = '';
for k = 1:3:numel(d)
    part = d(k:min(k + 2, end)); n = numel(part); part(end+1:3) = 0;
    w = bitor(bitor(bitshift(part(1), 16), bitshift(part(2), 8)), part(3));
    four = abc(bitand(bitshift(w, [-18 -12 -6 0]), 63) + 1); four(n+2:end) = '='; r = [r four];
end
end
