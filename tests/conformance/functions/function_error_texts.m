% oracle: MATLAB's texts
% dialect: matlab
function r = one(a), r = a; end
try, one(1, 2); catch e, disp(e.message), disp(e.identifier), end
try, [a, b] = one(1); catch e, disp(e.message), disp(e.identifier), end
try, one(); catch e, disp(e.message), disp(e.identifier), end
try, nosuch(1), catch e, disp(e.message), disp(e.identifier), end
