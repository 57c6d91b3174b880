% oracle: classes
addpath('support'); p = Point(); try, p.nothing, catch e, disp(e.identifier), end
try, p.nothing = 1; catch e, disp(e.identifier), end
