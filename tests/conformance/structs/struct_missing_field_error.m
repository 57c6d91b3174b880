% oracle: MATLAB's texts
s.a = 1;
try, s.b, catch e, disp(e.message), disp(e.identifier), end
try, x = 5; x.y = 1; catch e, disp(e.message), end
