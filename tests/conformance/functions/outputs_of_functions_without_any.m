% dialect: matlab
% oracle: identifiers are MATLAB's
try, x = error('a:b', 'text'); catch e, disp(e.identifier), disp(e.message), end
try, x = disp_nothing(1); catch e, disp(e.identifier), disp(e.message), end
try, [a, b] = one_value(); catch e, disp(e.identifier), disp(e.message), end
try, one_value(1, 2); catch e, disp(e.identifier), disp(e.message), end
function disp_nothing(x), end
function r = one_value(), r = 1; end
