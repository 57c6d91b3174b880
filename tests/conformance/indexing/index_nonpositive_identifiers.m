% oracle: MATLAB's identifiers
v = 1:3;
try, v(0), catch e, disp(e.identifier), end
try, v(-1), catch e, disp(e.identifier), end
try, v(1.5), catch e, disp(e.identifier), end
try, v(4), catch e, disp(e.identifier), end
