% dialect: matlab
% oracle: Octave has no matlab.unittest
try, x = matlab.unittest; catch e, disp(e.identifier), end
try, y = [matlab.unittest.constraints 1]; catch e, disp(e.message), end
c = matlab.unittest.constraints.IsTrue; disp(isobject(c))
