function r = micro_fib(n)
% Doubly recursive calls of a scalar function.
    r = fib(n);
end

function f = fib(n)
    if n < 2
        f = n;
    else
        f = fib(n - 1) + fib(n - 2);
    end
end
