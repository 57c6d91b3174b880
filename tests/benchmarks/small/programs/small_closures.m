function r = small_closures()
add = @(a) @(b) a + b; r = 0; for k = 1:300, f = add(k); r = r + f(1); end
end
