function r = small_fibonacci_recursive()
r = fib(18);
end
function y = fib(n)
if n < 2, y = n; else, y = fib(n-1) + fib(n-2); end
end
