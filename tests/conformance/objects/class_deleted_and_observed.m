% dialect: matlab
% oracle: Octave has no listeners, and its handles stay valid
addpath('support')
w = Watched; w.Level = 3;
try, w.Double = 8; catch e, disp(e.identifier), disp(e.message), end
first = addlistener(w, 'Level', 'PreSet', @(s, e) fprintf('%s of %s: %d\n', e.EventName, s.Name, e.AffectedObject.Level));
second = addlistener(w, 'Level', 'PostSet', @(s, e) fprintf('%s of %s: %d\n', e.EventName, e.Source.Name, e.AffectedObject.Level));
w.Level = 5;
g = {w}; delete(g{1}); disp(isvalid(w)), w, delete(w);
try, w.Level, catch e, disp(e.message), end
v = Watched; v.delete(); disp(isvalid(v))

