% dialect: matlab
% oracle: Octave has no enumerations
addpath('support')
a = Level.Mid, int32(a), a > 3, isUrgent(Level.Low), Level(10), class(a)
[tf, k] = ismember(Level.High, [Level.Low Level.High])
switch a, case Level.Low, disp('low'), case {Level.Mid, Level.High}, disp('at least mid'), end
try, Level(7); catch e, disp(e.identifier), end
a == Level.Mid, char(a), string([Level.Low a])
