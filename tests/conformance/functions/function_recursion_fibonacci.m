function r = fib(n), if n < 2, r = n; else, r = fib(n - 1) + fib(n - 2); end, end
disp(fib(15)); disp(arrayfun(@fib, 0:8));
