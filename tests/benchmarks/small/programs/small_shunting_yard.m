function r = small_shunting_yard()
s = '3+4*2-(1-5)^2/2'; r = 0;
for rep = 1:15
    out = {}; ops = '';
    for c = s
        if c >= '0' && c <= '9', out{end+1} = c;
        elseif c == '(', ops(end+1) = c;
        elseif c == ')'
            while ops(end) ~= '(', out{end+1} = ops(end); ops(end) = []; end
            ops(end) = [];
        else
            while ~isempty(ops) && prec(ops(end)) >= prec(c), out{end+1} = ops(end); ops(end) = []; end
            ops(end+1) = c;
        end
    end
    while ~isempty(ops), out{end+1} = ops(end); ops(end) = []; end
    r = r + numel([out{:}]);
end
end
function p = prec(c)
switch c, case {'+', '-'}, p = 1; case {'*', '/'}, p = 2; case '^', p = 3; otherwise, p = 0; end
end
