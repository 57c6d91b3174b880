% dialect: matlab
% oracle: Octave has no dynamic properties
addpath('support'), o = Flexible; p = addprop(o, 'Gain');
disp(class(p)), disp([isa(p, 'meta.property'), isa(p, 'handle'), findprop(o, 'Gain') == p])
o.Gain = 3; p.GetMethod = @(x) 10 * x.Gain; disp(o.Gain)
p.SetMethod = @keep; o.Gain = 5; disp(o.Gain), disp(func2str(p.SetMethod))
p.SetMethod = []; p.SetObservable = true; l = addlistener(o, 'Gain', 'PostSet', @(s, e) disp(s.Name)); o.Gain = 2;
p.Hidden = true; disp(properties(o)'), disp(o.Gain), disp(p.DefiningClass.Name)
p.SetAccess = 'private';
try, o.Gain = 1; catch e, disp(e.message), end
try, p.SetAccess = 'nobody'; catch e, disp(e.message), end
try, p.Name = 'Other'; catch e, disp(e.message), end
other = Flexible; disp([isprop(o, 'Gain'), isprop(other, 'Gain')])
delete(p), disp(isprop(o, 'Gain'))
try, p.Name, catch e, disp(e.message), end
q = findprop(o, 'Own'); disp(class(q)), disp(q.SetAccess)
try, q.Hidden = true; catch e, disp(e.message), end
function keep(x, v), x.Gain = v + 100; end
