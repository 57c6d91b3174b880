function r = small_postfix_stack()
code = '3 4 + 2 * 7 - 5 6 * + 2 9 * - '; r = 0;
for rep = 1:20
    stack = []; number = 0; in = false;
    for k = 1:numel(code)
        c = code(k);
        if c >= '0' && c <= '9', number = 10*number + (c - '0'); in = true;
        elseif c == ' '
            if in, stack(end+1) = number; number = 0; in = false; end
        else
            b = stack(end); a = stack(end-1); stack(end) = [];
            switch c
                case '+', stack(end) = a + b;
                case '-', stack(end) = a - b;
                case '*', stack(end) = a * b;
            end
        end
    end
    r = r + stack(1)*rep;
end
end
