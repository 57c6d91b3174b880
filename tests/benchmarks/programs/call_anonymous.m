function r = call_anonymous(n)
% Calls of an anonymous function.
    f = @(x, d) x + d * 2;
    r = 0;
    for i = 1:n
        r = f(r, i);
    end
end
