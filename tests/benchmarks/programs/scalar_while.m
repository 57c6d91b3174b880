function r = scalar_while(n)
% A while loop with a branch and a builtin.
    r = 0;
    i = 0;
    while i < n
        i = i + 1;
        if mod(i, 3) == 0
            r = r + i;
        end
    end
end
