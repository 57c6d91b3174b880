function x = inc(x), x = x + 1; end
x = 1; x = inc(inc(x)); disp(x); disp(inc(5));
