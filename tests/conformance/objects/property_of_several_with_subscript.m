addpath('support'); t = [Thermo() Thermo()]; t(2).Celsius = 100;
try, t.Celsius(1), catch e, disp(e.identifier), end
try, t.Celsius(1) = 5; catch e, disp(e.identifier), end
disp(t(2).Celsius(1)); u = t(2:2); disp(u.Celsius(1));
