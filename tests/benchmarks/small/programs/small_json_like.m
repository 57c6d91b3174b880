function r = small_json_like()
s = '{"name":"Ann","age":31,"tags":["a","b","c"],"pos":{"x":1.5,"y":-2}}'; r = 0;
for rep = 1:10
    depth = 0; i = 1; n = numel(s); tokens = {};
    while i <= n
        c = s(i);
        if any(c == '{['), depth = depth + 1; tokens{end+1} = c; i = i + 1;
        elseif any(c == '}]'), depth = depth - 1; tokens{end+1} = c; i = i + 1;
        elseif c == '"'
            j = i + 1; while s(j) ~= '"', j = j + 1; end
            tokens{end+1} = s(i+1:j-1); i = j + 1;
        elseif any(c == '-0123456789')
            j = i; while j <= n && any(s(j) == '-.0123456789'), j = j + 1; end
            tokens{end+1} = str2double(s(i:j-1)); i = j;
        else, i = i + 1;
        end
    end
    r = r + numel(tokens) + depth;
end
end
