% oracle: MATLAB's texts
v = 1:3; m = magic(3);
try, v(0), catch e, disp(e.message), end
try, v(1.5), catch e, disp(e.message), end
try, v(4), catch e, disp(e.message), end
try, m(4, 1), catch e, disp(e.message), end
try, m(1, 4), catch e, disp(e.message), end
try, m(10), catch e, disp(e.message), end
