% oracle: MATLAB's identifiers
v = 1:3;
disp(v([true false true false]));
try, v([true false true true]), catch e, disp(e.identifier), end
